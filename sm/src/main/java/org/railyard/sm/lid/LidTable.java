package org.railyard.sm.lid;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.Guid2Lid.Range;
import org.railyard.fabric.model.Fabric;
import org.railyard.sm.conf.ConfRemark;

/**
 * LIDs by port GUID, kept from run to run. Ports that are absent keep theirs: they come back. Entries are in the order
 * in which they were made; the oldest of an absent port is given up when LIDs run out. For one thread.
 */
public final class LidTable {
    private final Map<Long, Range> ranges = new LinkedHashMap<>();
    private final List<ConfRemark> findings = new ArrayList<>();
    private boolean unsaved;

    /** Makes an empty table. */
    public LidTable() {}

    /**
     * Reads a table. Lines whose port has an earlier line, or whose LIDs belong to an earlier line's port, are ignored,
     * and named in {@link #findings()} (spec 41 §11). So are those of several LIDs that do not begin at a multiple of
     * 2^LMC, which no port can have any more: they would keep LIDs from others for as long as their port is absent.
     * OpenSM drops these, too, and keeps single LIDs, which switches have anywhere.
     *
     * @param lmc of the ports of CAs and routers
     * @throws FormatException if a line is malformed; it is named
     */
    public static LidTable parse(String text, int lmc) {
        LidTable table = new LidTable();
        Map<Integer, Long> owners = new TreeMap<>();
        Guid2Lid read = Guid2Lid.parse(text);
        read.repeated()
                .forEach((line, guid) -> table.findings.add(new ConfRemark(
                        line,
                        1,
                        "port GUID 0x%016x has LIDs in line %d already; ignored".formatted(guid, read.line(guid)))));
        read.ranges().forEach((guid, range) -> {
            if (range.max() != range.min() && range.min() % (1 << lmc) != 0) {
                table.findings.add(new ConfRemark(
                        read.line(guid),
                        1,
                        "LIDs 0x%04x to 0x%04x of port GUID 0x%016x do not begin at a multiple of %d (LMC %d); ignored"
                                .formatted(range.min(), range.max(), guid, 1 << lmc, lmc)));
                return;
            }
            Long owner = null;
            for (int lid = range.min(); lid <= range.max() && owner == null; lid++) {
                owner = owners.get(lid);
            }
            if (owner != null) {
                table.findings.add(new ConfRemark(
                        read.line(guid),
                        1,
                        "LIDs 0x%04x to 0x%04x of port GUID 0x%016x are in part those of 0x%016x in line %d; ignored"
                                .formatted(range.min(), range.max(), guid, owner, read.line(owner))));
                return;
            }
            for (int lid = range.min(); lid <= range.max(); lid++) {
                owners.put(lid, guid);
            }
            table.ranges.put(guid, range);
        });
        table.findings.sort(Comparator.comparingInt(ConfRemark::line));
        return table;
    }

    /** Returns what was wrong with the text, by line. */
    public List<ConfRemark> findings() {
        return List.copyOf(findings);
    }

    /** Returns the table as text, in ascending order of GUIDs, as OpenSM reads and writes it. */
    public String text() {
        return Guid2Lid.of(ranges).text();
    }

    /** Returns the entries as they are now, for {@link #isAsAt}. */
    public Map<Long, Range> entries() {
        return Map.copyOf(ranges);
    }

    /** Tells whether the table says what it said before. */
    public boolean isAsAt(Map<Long, Range> before) {
        return ranges.equals(before);
    }

    /** Returns whether the table could not be kept when it was last to be. */
    public boolean isUnsaved() {
        return unsaved;
    }

    /** Notes whether the table is kept. */
    public void unsaved(boolean isUnsaved) {
        unsaved = isUnsaved;
    }

    /** Returns the largest LID that the table has for an end port of a fabric, 0 if it has none. */
    public int lastOf(Fabric fabric) {
        int last = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            Range range = fabric.isEndPort(port) ? ranges.get(fabric.portGuid(port)) : null;
            last = range == null ? last : Math.max(last, range.max());
        }
        return last;
    }

    /**
     * Takes over what another subnet manager gave: entries of ports that have another LID now are dropped, and those of
     * absent ports whose LIDs somebody has. Of several ports that claim one GUID it is enough that one has the LID.
     *
     * @param now the base LID that each port has, by port index, 0 = none
     * @param lmc of the ports of CAs and routers: the LIDs behind their base LID are theirs as well
     */
    public void follow(Fabric fabric, int[] now, int lmc) {
        Map<Long, Set<Integer>> present = new TreeMap<>();
        BitSet used = new BitSet();
        for (int port = 0; port < now.length; port++) {
            if (fabric.isEndPort(port) && now[port] != 0) {
                present.computeIfAbsent(fabric.portGuid(port), _ -> new TreeSet<>())
                        .add(now[port]);
                used.set(now[port], now[port] + (fabric.isSwitch(fabric.nodeOf(port)) ? 1 : 1 << lmc));
            }
        }
        ranges.entrySet().removeIf(entry -> {
            Range range = entry.getValue();
            Set<Integer> lids = present.get(entry.getKey());
            int first = used.nextSetBit(range.min());
            return lids == null ? first >= 0 && first <= range.max() : !lids.contains(range.min());
        });
    }

    Range get(long guid, Range otherwise) {
        return ranges.getOrDefault(guid, otherwise);
    }

    boolean has(long guid) {
        return ranges.containsKey(guid);
    }

    Map<Long, Range> ranges() {
        return ranges;
    }

    void put(long guid, Range range) {
        ranges.put(guid, range);
    }

    /** Gives the oldest entry up that none of these ports needs; false if there is none. */
    boolean giveUpOldest(Set<Long> present) {
        Iterator<Long> guids = ranges.keySet().iterator();
        while (guids.hasNext()) {
            if (!present.contains(guids.next())) {
                guids.remove();
                return true;
            }
        }
        return false;
    }
}
