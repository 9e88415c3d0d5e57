package org.railyard.cli.mad;

import java.util.Optional;
import org.railyard.mad.umad.UmadSettings;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * A port of this machine, as options name it.
 *
 * @param device its device; empty for the first one with an active port
 * @param port its number; empty for the first active one of the device
 */
public record DevicePort(Optional<String> device, Optional<Integer> port) {
    /** The name that stands for any device. */
    static final String ANY = "any";

    /** Largest number of a port. */
    private static final int LAST_PORT = 254;

    /**
     * Reads what the options of a command say.
     *
     * @param command that has them
     * @param text {@code NAME} or {@code NAME:PORT}; the name may be {@code any}
     * @param number of the port, where another option names it
     * @throws ParameterException if that is no port, or the two name different ones
     */
    public static DevicePort of(CommandLine command, String text, Optional<Integer> number) {
        try {
            return of(text, number);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }

    /**
     * Reads what the options say.
     *
     * @param text {@code NAME} or {@code NAME:PORT}; the name may be {@code any}
     * @param number of the port, where another option names it
     * @throws IllegalArgumentException if that is no port, or the two name different ones
     */
    static DevicePort of(String text, Optional<Integer> number) {
        int colon = text.lastIndexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        Optional<Integer> port = colon < 0 ? number : Optional.of(port(text, text.substring(colon + 1)));
        if (name.isEmpty()) {
            throw wrong(text);
        }
        if (number.isPresent() && !number.equals(port)) {
            throw new IllegalArgumentException(
                    "--device %s and --port %d name different ports".formatted(text, number.get()));
        }
        return new DevicePort(name.equals(ANY) ? Optional.empty() : Optional.of(name), port);
    }

    /**
     * Returns what opens it.
     *
     * @param managing whether a subnet manager does
     */
    public UmadSettings settings(boolean managing) {
        return new UmadSettings(device, port, managing, UmadSettings.isSimulated());
    }

    private static int port(String text, String digits) {
        int port;
        try {
            port = Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
        if (port < 1 || port > LAST_PORT) {
            throw wrong(text);
        }
        return port;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "--device %s: expected NAME or NAME:PORT, such as mlx5_0:1".formatted(text));
    }
}
