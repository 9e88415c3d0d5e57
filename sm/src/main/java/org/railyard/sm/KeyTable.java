package org.railyard.sm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.Guid2Mkey;

/**
 * M_Keys by port GUID, as ports were last seen with, kept from run to run (spec 41 §9): a subnet manager that starts
 * anew knows by them what to ask ports with that have another key than its configuration says. For one thread.
 */
final class KeyTable {
    /** Most ports; those that are met later are not kept. */
    static final int MAX_PORTS = 1 << 17;

    /** In the place of a GUID, for a key that ports are being given: it is kept before the first one has it. */
    private static final long ANY_PORT = 0;

    private final Map<Long, Long> keys = new LinkedHashMap<>();
    private boolean unsaved;

    /**
     * Reads a table.
     *
     * @throws FormatException if a line is malformed; it is named
     */
    static KeyTable parse(String text) {
        KeyTable table = new KeyTable();
        Guid2Mkey.parse(text).keys().forEach(table::put);
        table.unsaved = false;
        return table;
    }

    /** Returns the table as text, in ascending order of GUIDs. */
    String text() {
        return Guid2Mkey.of(keys).text();
    }

    /** Returns the keys that ports may have, that of most ports first. */
    List<Long> byUse() {
        Map<Long, Integer> ports = new TreeMap<>();
        keys.forEach((guid, key) -> ports.merge(key, guid == ANY_PORT ? 0 : 1, Integer::sum));
        List<Long> all = new ArrayList<>(ports.keySet());
        all.sort(Comparator.comparing(ports::get).reversed());
        return all;
    }

    /** Notes which key a port has, 0 if none. */
    void seen(long guid, long key) {
        if (guid != ANY_PORT) {
            put(guid, key);
        }
    }

    /** Notes which key ports are being given, 0 if none. */
    void giving(long key) {
        put(ANY_PORT, key);
    }

    private void put(long guid, long key) {
        if (key == 0) {
            unsaved |= keys.remove(guid) != null;
        } else if (keys.size() < MAX_PORTS || keys.containsKey(guid)) {
            Long before = keys.put(guid, key);
            unsaved |= before == null || before != key;
        }
    }

    /** Returns whether it says something else than what was last kept. */
    boolean isUnsaved() {
        return unsaved;
    }

    /** Notes that it is kept as it is. */
    void saved() {
        unsaved = false;
    }
}
