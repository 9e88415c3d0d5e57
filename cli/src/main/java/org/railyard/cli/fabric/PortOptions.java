package org.railyard.cli.fabric;

import java.util.Optional;
import org.railyard.cli.mad.UmadOptions;
import picocli.CommandLine.Option;

/** The port of this machine through which a running subnet is read. */
class PortOptions extends UmadOptions {
    private static final int HEX = 16;

    @Option(
            names = "--m-key",
            paramLabel = "HEX",
            description = "M_Key of a running subnet, where nodes answer nobody without it.")
    private Optional<String> key = Optional.empty();

    PortOptions() {}

    /** Tells whether any of them is given. */
    final boolean isPortGiven() {
        return isNamed() || key.isPresent();
    }

    /**
     * Opens the port.
     *
     * @throws FabricInputException if that is not possible
     */
    final OpenSubnet open() {
        long mKey = key.map(this::number).orElse(0L);
        return new OpenSubnet(settings(), mKey);
    }

    private long number(String text) {
        try {
            return Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, HEX);
        } catch (NumberFormatException _) {
            throw wrong("--m-key " + text + ": expected 1 to 16 hexadecimal digits");
        }
    }
}
