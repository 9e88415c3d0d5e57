package org.railyard.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.tune.TunableSpec;
import org.railyard.base.tune.TunableSpec.Flag;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/**
 * Node-wide settings among the module parameters, under the names of the module parameters (spec 12 §7.5) or those of
 * {@code lnetctl set}.
 */
final class StartSettings {
    private static final String PREFIX = "lnet_";

    /** The one switch that says the opposite. */
    private static final String NO_DISCOVERY = "lnet_peer_discovery_disabled";

    private StartSettings() {}

    /** Tells whether a parameter is such a setting. */
    static boolean has(String name) {
        return find(name).isPresent();
    }

    private static Optional<Tunable> find(String name) {
        if (name.equals(NO_DISCOVERY)) {
            return Optional.of(Tunable.DISCOVERY);
        }
        return Arrays.stream(Tunable.values())
                .filter(each -> each.spec().parameter().equals(name))
                .findFirst()
                .or(() -> Tunable.find(name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name));
    }

    /** Tells whether a setting is taken and changes nothing. */
    static boolean isWithoutEffect(String name) {
        return find(name)
                .filter(tunable -> tunable.spec().is(Flag.WITHOUT_EFFECT))
                .isPresent();
    }

    /** Returns the names of settings, those of module parameters included. */
    static List<String> names() {
        List<String> names = new ArrayList<>(List.of(NO_DISCOVERY));
        for (Tunable each : Tunable.values()) {
            names.add(each.text());
            if (!each.spec().parameter().equals(each.text())) {
                names.add(each.spec().parameter());
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
        Map<Tunable, Integer> values = new EnumMap<>(Tunable.class);
        parameters.forEach((name, text) ->
                find(name).ifPresent(tunable -> values.put(tunable, value(name, tunable.spec(), text))));
        return Settings.DEFAULT.with(values);
    }

    private static int value(String name, TunableSpec spec, String text) {
        int value = spec.parse(text)
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL, "module parameter " + name + " is '" + text + "'; expected " + spec.expected()));
        return name.equals(NO_DISCOVERY) ? (value == 0 ? 1 : 0) : value;
    }
}
