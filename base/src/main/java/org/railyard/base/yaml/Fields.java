package org.railyard.base.yaml;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Spelling;

/** The keys of a mapping, checked against those that belong there. */
public final class Fields {
    private final Item owner;
    private final Map<String, Item.Entry> entries;

    private Fields(Item owner, Map<String, Item.Entry> entries) {
        this.owner = owner;
        this.entries = entries;
    }

    /**
     * Reads a mapping.
     *
     * @param known keys that mean something
     * @param shown keys that the tools print and that are ignored here
     */
    public static Fields of(Item owner, Collection<String> known, Set<String> shown) {
        Map<String, Item.Entry> entries = owner.entries();
        entries.forEach((name, entry) -> {
            if (!known.contains(name) && !shown.contains(name)) {
                entry.key().unknownKey("one of " + oneOf(name, known));
            }
        });
        return new Fields(owner, entries);
    }

    /** Returns the known keys in one line, with the one that may have been meant. */
    public static String oneOf(String name, Collection<String> known) {
        return String.join(", ", known) + Spelling.hint(name, known);
    }

    /** Reads a mapping in which only these keys mean something. */
    public static Fields of(Item owner, String... known) {
        return of(owner, List.of(known), Set.of());
    }

    /** Returns the mapping itself. */
    public Item owner() {
        return owner;
    }

    /** Returns the value of a key, null if it is not there. */
    @Nullable
    public Item get(String name) {
        Item.Entry entry = entries.get(name);
        return entry == null ? null : entry.value();
    }

    /** Returns the value of a key; notes it if it is not there. */
    @Nullable
    public Item require(String name) {
        Item value = get(name);
        if (value == null && owner.isMapping()) {
            owner.found(owner.describe() + " without '" + name + "'", "'" + name + ": …' in it");
        }
        return value;
    }

    /** Returns the keys that are there, in the order of the file. */
    public Set<String> names() {
        return entries.keySet();
    }

    /** Returns the key itself. */
    @Nullable
    public Item key(String name) {
        Item.Entry entry = entries.get(name);
        return entry == null ? null : entry.key();
    }

    /** Returns the number under a key; the other one if it is not there or can not be used. */
    public int number(String name, int otherwise, int min, int max) {
        Item item = get(name);
        return item == null ? otherwise : (int) item.number(min, max).orElse(otherwise);
    }
}
