package org.railyard.node;

import java.util.Map;
import java.util.Optional;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Settings;
import org.railyard.lnet.Tunable;

/** Node-wide settings among the start-up parameters, under the names of the module parameters (spec 12 §7.5) or those of {@code lnetctl set}. */
final class StartSettings {
    private static final String PREFIX = "lnet_";

    /** The one switch that says the opposite. */
    private static final String NO_DISCOVERY = "lnet_peer_discovery_disabled";

    private static final Map<String, Tunable> OTHER_NAMES =
            Map.of("lnet_interfaces_max", Tunable.MAX_INTERFACES, NO_DISCOVERY, Tunable.DISCOVERY);

    private StartSettings() {}

    /** Tells whether a parameter is such a setting. */
    static boolean has(String name) {
        return find(name).isPresent();
    }

    private static Optional<Tunable> find(String name) {
        if (OTHER_NAMES.containsKey(name)) {
            return Optional.of(OTHER_NAMES.get(name));
        }
        return Tunable.find(name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name)
                // Transports have a parameter of that name, too, and it is about their nets.
                .filter(tunable -> tunable != Tunable.PEER_BUFFER_CREDITS);
    }

    /**
     * Returns the settings that a node starts with.
     *
     * @throws LNetException EINVAL if a value can not be read; ERANGE if it is out of range, or does not go with the others
     */
    static Settings of(Map<String, String> parameters) {
        Settings settings = Settings.DEFAULT;
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            Optional<Tunable> tunable = find(each.getKey());
            if (tunable.isPresent()) {
                settings = settings.with(tunable.get(), value(each.getKey(), tunable.get(), each.getValue()));
            }
        }
        return settings;
    }

    private static int value(String name, Tunable tunable, String text) {
        int value = tunable.parse(text.strip()).orElseThrow(() -> {
            String expected = tunable.choices().isEmpty()
                    ? tunable.min() + "…" + tunable.max()
                    : "one of " + String.join(", ", tunable.choices());
            return new LNetException(
                    Errno.EINVAL, "start-up parameter " + name + " is '" + text + "'; expected " + expected);
        });
        return name.equals(NO_DISCOVERY) ? (value == 0 ? 1 : 0) : value;
    }
}
