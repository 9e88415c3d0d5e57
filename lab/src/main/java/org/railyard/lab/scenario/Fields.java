package org.railyard.lab.scenario;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a mapping. */
record Fields(Item item, Map<String, Item> byName) {
    @Nullable
    public Item get(String name) {
        return byName.get(name);
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Returns a field that must be there; notes a problem if it is not. */
    @Nullable
    public Item require(String name) {
        Item found = byName.get(name);
        if (found == null) {
            item.found("no '" + name + "'", "it here");
        }
        return found;
    }

    String text(String name, String otherwise) {
        Item found = byName.get(name);
        return found == null ? otherwise : found.text();
    }

    boolean bool(String name, boolean otherwise) {
        Item found = byName.get(name);
        return found == null ? otherwise : found.bool();
    }

    public long number(String name, long otherwise, long min, long max) {
        Item found = byName.get(name);
        return found == null ? otherwise : found.number(min, max);
    }

    long quantity(String name, long otherwise, Units units, long min, long max) {
        Item found = byName.get(name);
        return found == null ? otherwise : found.quantity(units, min, max);
    }

    double share(String name, double otherwise) {
        Item found = byName.get(name);
        return found == null ? otherwise : found.share();
    }
}
