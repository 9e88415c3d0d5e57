package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.live.ToolOutput;
import org.railyard.host.RealHost;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.umad.UmadSettings;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.sm.live.SubnetReader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A running subnet to look at: through a port of this machine, or in the output of tools. */
final class SubnetOptions {
    private static final int HEX = 16;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--live",
            description = "Read the running subnet, through a port of this machine and libibumad. Only Get is sent.")
    private boolean live;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "With --live: device; default: the first with an active port.")
    private Optional<String> device = Optional.empty();

    @Option(names = "--port", paramLabel = "N", description = "With --live: its port; default: the first active one.")
    private Optional<Integer> port = Optional.empty();

    @Option(
            names = "--m-key",
            paramLabel = "HEX",
            description = "With --live: M_Key, where nodes answer nobody without it.")
    private Optional<String> key = Optional.empty();

    @Option(
            names = "--ask-sls",
            description = "With --live: ask the subnet administration for the SL of each path, pair by pair of at most "
                    + SubnetReader.MAX_ASKED + " end ports.")
    private boolean asksSls;

    @Option(
            names = "--output-of-tools",
            paramLabel = "FILE",
            description = "With --live: what ibnetdiscover, dump_fts, saquery LFTR, saquery SL2VL and saquery VLAR have"
                    + " printed, one behind the other, in place of a port; - for standard input.")
    private Optional<Path> tools = Optional.empty();

    SubnetOptions() {}

    /** Tells whether a running subnet is wanted; checks that nothing else is given without that. */
    boolean isWanted() {
        boolean ofPort = device.isPresent() || port.isPresent() || key.isPresent() || asksSls;
        if (!live && (ofPort || tools.isPresent())) {
            throw new ParameterException(
                    spec.commandLine(), "--device, --port, --m-key, --ask-sls and --output-of-tools need --live");
        }
        if (tools.isPresent() && ofPort) {
            throw new ParameterException(
                    spec.commandLine(), "--output-of-tools excludes --device, --port, --m-key and --ask-sls");
        }
        return live;
    }

    /**
     * Reads it.
     *
     * @throws FabricInputException if it can not be read at all
     */
    LiveSubnet read() {
        if (tools.isPresent()) {
            return TextFile.parseOrPiped(
                    tools.get(), "the output of ibnetdiscover, dump_fts and saquery", ToolOutput::parse);
        }
        long mKey = key.map(this::number).orElse(0L);
        UmadSettings settings = new UmadSettings(device, port, false, UmadSettings.isSimulated());
        try (UmadTransport transport = UmadTransport.open(settings, new RealHost().clock())) {
            MadRequests requests = new MadRequests(transport, RequestSettings.DEFAULT, (mad, from) -> {});
            requests.keys(List.of(mKey));
            CompletableFuture<LiveSubnet> ended = new CompletableFuture<>();
            transport.loop().execute(() -> {
                requests.onFailure(ended::completeExceptionally);
                SubnetReader.start(
                        requests, RequestSettings.DEFAULT, transport.port().port(), asksSls, ended::complete);
            });
            LiveSubnet subnet = ended.get();
            if (subnet.fabric().nodeCount() == 0) {
                throw new FabricInputException(transport.port() + ": nothing of the subnet can be read"
                        + (subnet.unread().isEmpty()
                                ? ""
                                : ": " + subnet.unread().getFirst()));
            }
            return subnet;
        } catch (ErrnoException e) {
            throw new FabricInputException("the running subnet cannot be read: " + e.getMessage(), e);
        } catch (ExecutionException e) {
            throw new FabricInputException("the running subnet cannot be read: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FabricInputException("interrupted while the running subnet was read", e);
        }
    }

    private long number(String text) {
        try {
            return Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, HEX);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "--m-key " + text + ": expected 1 to 16 hexadecimal digits", e);
        }
    }
}
