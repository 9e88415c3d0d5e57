package org.railyard.cli.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.control.TargetOperation;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard ping NID…}: asks nodes for their NIDs, from a node of its own that lives as long as the command. */
@Command(
        name = "ping",
        description = "Ask nodes for their NIDs. Works from any host: no daemon, no kernel module.",
        footer = {
            "",
            "Exit code: 0 all answered, 255 a target failed, 234 an argument can not be read.",
            "",
            "Examples:",
            "  railyard ping 10.0.0.5@tcp",
            "  railyard ping --timeout 5 10.0.0.[5-9]@tcp mds1@tcp1"
        })
public final class PingCommand implements Callable<Integer> {
    private static final int MAX_TIMEOUT = TargetOperation.MAX_TIMEOUT;
    private static final int DEFAULT_TIMEOUT = 1;

    @Parameters(
            paramLabel = "NID",
            description = "NIDs, lists and ranges of NIDs, or host names; without @net: tcp.",
            arity = "0..*")
    private List<String> nids = List.of();

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "SECONDS",
            defaultValue = "" + DEFAULT_TIMEOUT,
            description = "Limit for each answer, 1 to " + MAX_TIMEOUT
                    + "; 0 stands for the default. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Spec
    private @Nullable CommandSpec spec;

    /** For picocli. */
    public PingCommand() {}

    @Override
    public Integer call() {
        CommandSpec command = CommandSpecs.require(spec);
        if (nids.isEmpty()) {
            command.commandLine()
                    .getErr()
                    .println("railyard: ping needs at least one NID, for example: railyard ping 10.0.0.5@tcp");
            return ExitCodes.COMMAND_FAILED;
        }
        if (timeout < 0 || timeout > MAX_TIMEOUT) {
            command.commandLine()
                    .getErr()
                    .println("railyard: --timeout " + timeout + "; expected 0…" + MAX_TIMEOUT + " seconds");
            return ExitCodes.COMMAND_FAILED;
        }
        Duration limit = Duration.ofSeconds(timeout == 0 ? DEFAULT_TIMEOUT : timeout);
        return new TargetCommand(
                        "ping",
                        command.commandLine().getOut(),
                        command.commandLine().getErr())
                .run(
                        nids,
                        node,
                        Settings.DEFAULT.with(Tunable.DISCOVERY, false).with(Tunable.MULTI_RAIL, false),
                        (lnet, target, report) -> lnet.ping(target, node.source(), limit)
                                .thenApply(reply ->
                                        () -> report.answered(reply.primaryNid(), reply.multiRail(), reply.nids())));
    }
}
