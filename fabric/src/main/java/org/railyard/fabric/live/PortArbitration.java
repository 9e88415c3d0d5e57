package org.railyard.fabric.live;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.fabric.torus.qos.VlArbTable.Entry;

/**
 * VL arbitration of a port, as programmed or as planned. Immutable.
 *
 * @param high the high-priority table
 * @param low the low-priority table
 * @param highEntries how many entries the high-priority table can have, 0 to 64
 * @param lowEntries the same of the low-priority table
 */
public record PortArbitration(VlArbTable high, VlArbTable low, int highEntries, int lowEntries) {
    /** Returns one of a port whose tables have all their entries. */
    public static PortArbitration of(VlArbTable high, VlArbTable low) {
        return new PortArbitration(high, low, VlArbTable.MAX_ENTRIES, VlArbTable.MAX_ENTRIES);
    }

    /**
     * Returns what a port makes of a plan: the entries that it has room for, of the VLs that it has, without those that
     * are skipped.
     *
     * @param planned the tables that are planned
     * @param dataVls how many data VLs the port has
     */
    public PortArbitration of(PortArbitration planned, int dataVls) {
        return new PortArbitration(
                served(planned.high, highEntries, dataVls),
                served(planned.low, lowEntries, dataVls),
                highEntries,
                lowEntries);
    }

    private static VlArbTable served(VlArbTable table, int entries, int dataVls) {
        List<Entry> kept = new ArrayList<>();
        for (int i = 0; i < Math.min(entries, table.entries().size()); i++) {
            Entry entry = table.entries().get(i);
            if (entry.weight() > 0 && entry.vl() < dataVls) {
                kept.add(entry);
            }
        }
        return new VlArbTable(kept);
    }

    /** Returns both tables as OpenSM's configuration file has them. */
    @Override
    public String toString() {
        return "high " + text(high) + ", low " + text(low);
    }

    private static String text(VlArbTable table) {
        return table.entries().isEmpty()
                ? "none"
                : table.entries().stream()
                        .map(entry -> entry.vl() + ":" + entry.weight())
                        .collect(Collectors.joining(","));
    }
}
