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
 * M_Keys by port GUID, as ports were last seen with, and those of the {@link KeyRing}, kept from run to run (spec 41
 * §9): a subnet manager that starts anew knows by them what to ask ports with that have another key than its
 * configuration says. For one thread.
 */
final class MKeyTable {
    /** Most ports; those that are met later are not kept. */
    static final int MAX_PORTS = 1 << 17;

    /** In the place of a GUID, for the newest key of the ring, and downwards for earlier ones: no port has these. */
    private static final long NEWEST = -1;

    private final Map<Long, Long> ports = new LinkedHashMap<>();
    private List<Long> ring = new ArrayList<>();
    private boolean unsaved;

    /**
     * Reads a table.
     *
     * @throws FormatException if a line is malformed; it is named
     */
    static MKeyTable parse(String text) {
        MKeyTable table = new MKeyTable();
        Map<Long, Long> records = Guid2Mkey.parse(text).keys();
        for (int i = 0; i <= KeyRing.EARLIER; i++) {
            Long key = records.get(NEWEST - i);
            if (key != null && key != 0) {
                table.ring.add(key);
            }
        }
        records.forEach(table::seen);
        table.unsaved = false;
        return table;
    }

    /** Returns the table as text, in ascending order of GUIDs. */
    String text() {
        Map<Long, Long> records = new LinkedHashMap<>(ports);
        for (int i = 0; i < ring.size(); i++) {
            records.put(NEWEST - i, ring.get(i));
        }
        return Guid2Mkey.of(records).text();
    }

    /** Returns the keys that ports may have, most likely first: those of the ring, then those of most ports. */
    List<Long> likely() {
        Map<Long, Integer> uses = new TreeMap<>();
        ports.values().forEach(key -> uses.merge(key, 1, Integer::sum));
        List<Long> others = new ArrayList<>(uses.keySet());
        others.sort(Comparator.comparing(uses::get).reversed());
        List<Long> all = new ArrayList<>(ring);
        others.stream().filter(key -> !ring.contains(key)).forEach(all::add);
        return all;
    }

    /** Tells whether there are ports with keys, and none with this one. */
    boolean hasOnlyOthers(long key) {
        return !ports.isEmpty() && !ports.containsValue(key);
    }

    /** Notes which key a port has, 0 if none. */
    void seen(long guid, long key) {
        if (guid == 0 || guid <= NEWEST && guid >= NEWEST - KeyRing.EARLIER) {
            return;
        }
        if (key == 0) {
            unsaved |= ports.remove(guid) != null;
        } else if (ports.size() < MAX_PORTS || ports.containsKey(guid)) {
            Long before = ports.put(guid, key);
            unsaved |= before == null || before != key;
        }
    }

    /** Notes which keys ports may have, newest first: before the first port gets the newest one. */
    void ring(List<Long> newestFirst) {
        List<Long> keys = newestFirst.stream().filter(key -> key != 0).toList();
        unsaved |= !keys.equals(ring);
        ring = keys;
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
