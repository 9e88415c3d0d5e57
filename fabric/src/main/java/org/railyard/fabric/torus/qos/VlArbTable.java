package org.railyard.fabric.torus.qos;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.torus.conf.CNumber;

/**
 * A VL arbitration table as OpenSM's {@code *_vlarb_high} and {@code *_vlarb_low} give it (spec 31 §7). Immutable.
 *
 * @param entries in the order in which they are served, at most {@link #MAX_ENTRIES}
 */
public record VlArbTable(List<Entry> entries) {
    /** Most entries of a table. */
    public static final int MAX_ENTRIES = 64;

    /** Largest data VL. */
    private static final int MAX_VL = 14;

    private static final int MAX_WEIGHT = 255;

    /** OpenSM's default high-priority table. */
    public static final VlArbTable DEFAULT_HIGH =
            parse("0:4,1:0,2:0,3:0,4:0,5:0,6:0,7:0,8:0,9:0,10:0,11:0,12:0,13:0,14:0");

    /** OpenSM's default low-priority table. */
    public static final VlArbTable DEFAULT_LOW =
            parse("0:0,1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4");

    /**
     * One entry.
     *
     * @param vl data VL, 0 to 14
     * @param weight in units of 64 bytes, 0 to 255; 0 = skipped
     */
    public record Entry(int vl, int weight) {
        /** Checks the ranges. */
        public Entry {
            if (vl < 0 || vl > MAX_VL || weight < 0 || weight > MAX_WEIGHT) {
                throw new IllegalArgumentException("no VL arbitration entry: " + vl + ":" + weight);
            }
        }
    }

    /** Copies the entries. */
    public VlArbTable {
        entries = List.copyOf(entries);
        if (entries.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException("more than " + MAX_ENTRIES + " VL arbitration entries");
        }
    }

    /**
     * Reads {@code vl:weight,vl:weight…}.
     *
     * @throws FormatException if it is something else; the line is 1, the column where it goes wrong
     */
    public static VlArbTable parse(String text) {
        List<Entry> entries = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int comma = text.indexOf(',', at);
            int end = comma < 0 ? text.length() : comma;
            int colon = text.indexOf(':', at);
            long vl = colon < 0 || colon > end ? -1 : CNumber.parse(text, at, colon);
            long weight = vl < 0 ? -1 : CNumber.parse(text, colon + 1, end);
            if (vl < 0 || vl > MAX_VL || weight < 0 || weight > MAX_WEIGHT || entries.size() == MAX_ENTRIES) {
                throw new FormatException(
                        1,
                        at + 1,
                        text.substring(at, end),
                        "vl:weight, VL 0 to " + MAX_VL + ", weight 0 to " + MAX_WEIGHT + ", at most " + MAX_ENTRIES);
            }
            entries.add(new Entry((int) vl, (int) weight));
            at = end + 1;
        }
        return new VlArbTable(entries);
    }

    /** Returns the sum of the weights of {@code vl}. */
    public int weight(int vl) {
        return entries.stream()
                .filter(entry -> entry.vl() == vl)
                .mapToInt(Entry::weight)
                .sum();
    }

    /**
     * Returns the table for a switch port that faces an end node, made from that of the ports between switches: entries
     * of VL 0 stay, those of VL 4 become VL 1, the others go, the rest is filled with (0,0) (spec 30 §8).
     */
    public VlArbTable facingEndNode() {
        List<Entry> kept = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.vl() == 0) {
                kept.add(entry);
            } else if (entry.vl() == 4) {
                kept.add(new Entry(1, entry.weight()));
            }
        }
        while (kept.size() < entries.size()) {
            kept.add(new Entry(0, 0));
        }
        return new VlArbTable(kept);
    }
}
