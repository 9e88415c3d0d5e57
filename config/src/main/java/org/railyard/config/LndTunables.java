package org.railyard.config;

import java.util.Locale;
import java.util.OptionalLong;
import org.railyard.base.yaml.Item;

/**
 * Values of the tunables of a transport in documents. All are numbers, but for one that Lustre's tool prints as a flag.
 */
public final class LndTunables {
    /** A flag in what Lustre's tool of 2.17 prints, a number in older files (spec 22 mod-032). */
    static final String MAP_ON_DEMAND = "map_on_demand";

    private LndTunables() {}

    /** Returns a value as Lustre's tool prints it: a number, or true or false. */
    public static Object shown(String name, int value) {
        if (name.equals(MAP_ON_DEMAND)) {
            return value != 0;
        }
        return value;
    }

    /** Reads a value; nothing, noted, if it is none or out of range. */
    static OptionalLong read(String name, Item value, long min, long max) {
        if (name.equals(MAP_ON_DEMAND) && !value.isMapping() && !value.isList()) {
            String text = value.text().toLowerCase(Locale.ROOT);
            if (text.equals("true") || text.equals("false")) {
                return OptionalLong.of(text.equals("true") ? 1 : 0);
            }
        }
        return value.number(min, max);
    }
}
