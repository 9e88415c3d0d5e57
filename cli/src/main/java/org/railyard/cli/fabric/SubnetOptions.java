package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.Optional;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.live.ToolOutput;
import org.railyard.sm.live.SubnetReader;
import picocli.CommandLine.Option;

/** A running subnet to look at in place of files: through a port of this machine, or in the output of tools. */
final class SubnetOptions extends PortOptions {
    @Option(
            names = "--live",
            description = "Read the running subnet, through a port of this machine and libibumad. Only Get is sent.")
    private boolean live;

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
        boolean ofPort = isPortGiven() || asksSls;
        if (!live && (ofPort || tools.isPresent())) {
            throw wrong("--device, --port, --m-key, --ask-sls and --output-of-tools need --live");
        }
        if (tools.isPresent() && ofPort) {
            throw wrong("--output-of-tools excludes --device, --port, --m-key and --ask-sls");
        }
        return live;
    }

    /** Tells whether the SLs of paths are read, too. */
    boolean asksSls() {
        return asksSls;
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
        try (OpenSubnet open = open()) {
            return open.read(asksSls);
        }
    }
}
