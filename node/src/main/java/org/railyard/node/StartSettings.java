package org.railyard.node;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/**
 * Node-wide settings among the start-up parameters, under the names of the module parameters (spec 12 §7.5) or those of
 * {@code lnetctl set}.
 */
final class StartSettings {
    private static final String PREFIX = "lnet_";

    /** The one switch that says the opposite. */
    private static final String NO_DISCOVERY = "lnet_peer_discovery_disabled";

    private static final Map<String, Tunable> OTHER_NAMES = Map.of(
            "lnet_interfaces_max",
            Tunable.MAX_INTERFACES,
            NO_DISCOVERY,
            Tunable.DISCOVERY,
            "tiny_router_buffers",
            Tunable.TINY_BUFFERS,
            "small_router_buffers",
            Tunable.SMALL_BUFFERS,
            "large_router_buffers",
            Tunable.LARGE_BUFFERS);

    /** Settings whose module parameters have a prefix. */
    private static final Set<Tunable> PREFIXED = EnumSet.of(
            Tunable.NUMA_RANGE,
            Tunable.HEALTH_SENSITIVITY,
            Tunable.RECOVERY_INTERVAL,
            Tunable.RECOVERY_LIMIT,
            Tunable.MAX_RECOVERY_PING_INTERVAL,
            Tunable.DROP_ASYM_ROUTE,
            Tunable.TRANSACTION_TIMEOUT,
            Tunable.RETRY_COUNT,
            Tunable.RESPONSE_TRACKING);

    private StartSettings() {}

    /** Tells whether a parameter is such a setting. */
    static boolean has(String name) {
        return find(name).isPresent();
    }

    private static Optional<Tunable> find(String name) {
        if (OTHER_NAMES.containsKey(name)) {
            return Optional.of(OTHER_NAMES.get(name));
        }
        return Tunable.find(name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name);
    }

    /** Tells whether a setting is taken and changes nothing. */
    static boolean isWithoutEffect(String name) {
        return find(name)
                .filter(tunable -> tunable.isIgnored() || tunable == Tunable.RECOVERY_INTERVAL)
                .isPresent();
    }

    /** Returns the names of settings, those of module parameters included. */
    static List<String> names() {
        List<String> names = new ArrayList<>(OTHER_NAMES.keySet());
        for (Tunable each : Tunable.values()) {
            names.add(each.text());
            if (PREFIXED.contains(each)) {
                names.add(PREFIX + each.text());
            }
        }
        return names;
    }

    /**
     * Returns the settings that a node starts with.
     *
     * @throws ErrnoException EINVAL if a value can not be read; ERANGE if it is out of range, or does not go with the
     *     others
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
            return new ErrnoException(
                    Errno.EINVAL, "start-up parameter " + name + " is '" + text + "'; expected " + expected);
        });
        return name.equals(NO_DISCOVERY) ? (value == 0 ? 1 : 0) : value;
    }
}
