package org.railyard.cli.node;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code railyard discover NID…}: discovers nodes as multi-rail nodes do, telling them our NIDs for as long as the
 * command runs.
 */
@Command(
        name = "discover",
        description = "Discover nodes: all NIDs, the primary one, who is multi-rail.",
        footer = {
            "",
            "The nodes learn this host's NID as a peer while the command runs.",
            "Exit code: 0 all discovered, 255 a target failed or none was given, 234 an argument can not be read.",
            "",
            "Example:",
            "  railyard discover 10.0.0.5@tcp"
        })
public final class DiscoverCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NID",
            description = "NIDs, lists and ranges of NIDs, or host names; without @net: tcp.",
            arity = "0..*")
    private List<String> nids = List.of();

    @Option(
            names = {"-f", "--force"},
            description = "Ask and tell even what is known already.")
    private boolean force;

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Limit for each answer within a discovery, 1 to 31536000. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Spec
    private @Nullable CommandSpec spec;

    /** For picocli. */
    public DiscoverCommand() {}

    @Override
    public Integer call() {
        CommandSpec command = CommandSpecs.require(spec);
        if (nids.isEmpty()) {
            command.commandLine()
                    .getErr()
                    .println("railyard: discover needs at least one NID, for example: railyard discover 10.0.0.5@tcp");
            return ExitCodes.TARGET_FAILED;
        }
        if (!Tunable.TRANSACTION_TIMEOUT.spec().allows(timeout)) {
            command.commandLine()
                    .getErr()
                    .println("railyard: --timeout " + timeout + "; expected "
                            + Tunable.TRANSACTION_TIMEOUT.spec().range() + " seconds");
            return ExitCodes.COMMAND_FAILED;
        }
        return new TargetCommand(
                        "discover",
                        command.commandLine().getOut(),
                        command.commandLine().getErr())
                .run(
                        nids,
                        node,
                        settings(),
                        (lnet, target, report) -> lnet.discover(target, force)
                                .thenApply(peer -> () -> report.answered(
                                        peer.primaryNid(),
                                        peer.multiRail(),
                                        peer.nis().stream()
                                                .map(PeerInfo.PeerNiInfo::nid)
                                                .toList())));
    }

    /** Returns settings in which the retries fit into the limit. */
    private Settings settings() {
        int retries = Math.min(Settings.DEFAULT.get(Tunable.RETRY_COUNT), timeout - 1);
        return Settings.DEFAULT.with(Tunable.RETRY_COUNT, retries).with(Tunable.TRANSACTION_TIMEOUT, timeout);
    }
}
