package org.railyard.cli.mad;

import java.util.Optional;
import org.railyard.mad.umad.UmadSettings;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The port of this machine that MADs are sent through. */
public class UmadOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--device",
            paramLabel = "NAME[:PORT]",
            description =
                    "Device, such as mlx5_0, or a port of it, such as mlx5_0:1. Default, and any: the first with an"
                            + " active port.")
    private Optional<String> device = Optional.empty();

    @Option(names = "--port", paramLabel = "N", description = "Its port; default: the first active one.")
    private Optional<Integer> port = Optional.empty();

    /** For picocli. */
    public UmadOptions() {}

    /** Tells whether a port is named. */
    public final boolean isNamed() {
        return device.isPresent() || port.isPresent();
    }

    /**
     * Returns what opens it.
     *
     * @throws ParameterException if the options name no port, or two
     */
    public final UmadSettings settings() {
        return DevicePort.of(spec.commandLine(), device.orElse(DevicePort.ANY), port)
                .settings(false);
    }

    /** Returns what says that the command line is wrong. */
    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
