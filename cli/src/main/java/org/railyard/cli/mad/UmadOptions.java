package org.railyard.cli.mad;

import java.util.Optional;
import org.railyard.mad.umad.UmadSettings;
import picocli.CommandLine.Option;

/** The port of this machine that MADs are sent through. */
public class UmadOptions {
    @Option(names = "--device", paramLabel = "NAME", description = "Device; default: the first with an active port.")
    private Optional<String> device = Optional.empty();

    @Option(names = "--port", paramLabel = "N", description = "Its port; default: the first active one.")
    private Optional<Integer> port = Optional.empty();

    /** For picocli. */
    public UmadOptions() {}

    /** Tells whether a port is named. */
    public final boolean isNamed() {
        return device.isPresent() || port.isPresent();
    }

    /** Returns what opens it. */
    public final UmadSettings settings() {
        return new UmadSettings(device, port, false, UmadSettings.isSimulated());
    }
}
