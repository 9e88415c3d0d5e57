package org.railyard.fabric.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;

/**
 * {@code opensm.fdbs}: output port and hops by switch and LID (spec 31 §5.5).
 *
 * @param switches one table per switch, in the order of the file
 */
public record UnicastDump(List<SwitchTable> switches) {
    private static final String MARK = "dump_ucast_routes:";
    private static final int MAX_HOPS = 255;

    /** Takes a copy. */
    public UnicastDump {
        switches = List.copyOf(switches);
    }

    /**
     * The table of one switch.
     *
     * @param guid node GUID of the switch
     * @param entries one per LID
     */
    public record SwitchTable(long guid, List<Entry> entries) {
        /** Takes a copy. */
        public SwitchTable {
            entries = List.copyOf(entries);
        }
    }

    /**
     * One line.
     *
     * @param lid destination
     * @param port output port, {@link ForwardingTables#NO_PATH} = unreachable
     * @param hops hops by that port, −1 = unknown
     * @param best fewest hops by any port, equal to {@code hops} if that is optimal, −1 = unknown
     */
    public record Entry(int lid, int port, int hops, int best) {}

    /**
     * Reads the file.
     *
     * @throws FormatException if a line is malformed or a switch comes twice
     */
    public static UnicastDump parse(CharSequence text) {
        List<SwitchTable> tables = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        LineScanner in = new LineScanner(text);
        long guid = 0;
        boolean header = false;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("LID")) {
                continue;
            }
            if (in.accept(MARK)) {
                if (header) {
                    tables.add(new SwitchTable(guid, entries));
                    entries.clear();
                }
                in.expect(" Switch ");
                guid = in.hex("switch GUID");
                header = true;
            } else if (header) {
                entries.add(entry(in));
            } else {
                throw in.fail("\"" + MARK + " Switch 0x…\"");
            }
        }
        if (header) {
            tables.add(new SwitchTable(guid, entries));
        }
        return new UnicastDump(tables);
    }

    private static Entry entry(LineScanner in) {
        int lid = in.hex(Lids.MAX_UNICAST, "LID");
        in.expect(" : ");
        if (in.accept("UNREACHABLE")) {
            in.expectEnd();
            return new Entry(lid, ForwardingTables.NO_PATH, -1, -1);
        }
        int port = in.decimal(Fabric.MAX_PORTS, "port");
        in.skipBlanks();
        in.expect(": ");
        if (in.accept("HOPS UNKNOWN")) {
            in.expectEnd();
            return new Entry(lid, port, -1, -1);
        }
        int hops = in.decimal(MAX_HOPS, "hops");
        in.skipBlanks();
        in.expect(": ");
        if (in.accept("yes")) {
            in.expectEnd();
            return new Entry(lid, port, hops, hops);
        }
        in.expect("No ");
        int best = in.decimal(MAX_HOPS, "hops");
        in.expect(" hop path possible via port ");
        in.decimal(Fabric.MAX_PORTS, "port");
        in.expect("!");
        in.expectEnd();
        return new Entry(lid, port, hops, best);
    }

    /**
     * Returns the tables of a fabric's switches; those of other switches are left out.
     *
     * @throws FormatException if a port is beyond the switch or a switch comes twice
     */
    public ForwardingTables tables(Fabric fabric) {
        byte[][] rows = new byte[fabric.switchCount()][0];
        int line = 1;
        for (SwitchTable table : switches) {
            int sw = fabric.nodeOfGuid(table.guid);
            if (sw != Fabric.NONE && (!fabric.isSwitch(sw) || rows[sw].length > 0)) {
                throw new FormatException(
                        line, 1, "0x%016x".formatted(table.guid), "the GUID of a switch that has no table yet");
            }
            byte[] row = new byte[fabric.maxLid() + 1];
            Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
            line += 2;
            for (Entry entry : table.entries) {
                if (sw != Fabric.NONE && entry.port != ForwardingTables.NO_PATH && entry.port > fabric.ports(sw)) {
                    throw new FormatException(
                            line,
                            1,
                            "port " + entry.port,
                            "a port of " + fabric.description(sw) + ", 0 to " + fabric.ports(sw));
                }
                if (entry.lid < row.length) {
                    row[entry.lid] = (byte) entry.port;
                }
                line++;
            }
            if (sw != Fabric.NONE) {
                rows[sw] = row;
            }
        }
        return new ForwardingTables(rows);
    }

    /** Makes the dump of tables, with the true hops of each route and of the shortest one. */
    public static UnicastDump of(Fabric fabric, ForwardingTables tables) {
        Hops hops = new Hops(fabric, tables);
        List<List<Entry>> entries = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            entries.add(new ArrayList<>(fabric.maxLid()));
        }
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            hops.to(lid);
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int port = tables.port(sw, lid);
                entries.get(sw)
                        .add(
                                port == ForwardingTables.NO_PATH
                                        ? new Entry(lid, port, -1, -1)
                                        : new Entry(lid, port, hops.routed(sw), hops.best(sw)));
            }
        }
        List<SwitchTable> dumped = new ArrayList<>();
        for (int sw : NodeOrder.switches(fabric)) {
            dumped.add(new SwitchTable(fabric.guid(sw), entries.get(sw)));
        }
        return new UnicastDump(dumped);
    }

    /** Returns the file. */
    public String text() {
        StringBuilder out = new StringBuilder();
        for (SwitchTable table : switches) {
            out.append("%s Switch 0x%016x\nLID    : Port : Hops : Optimal\n".formatted(MARK, table.guid));
            for (Entry entry : table.entries) {
                out.append("0x%04X : ".formatted(entry.lid));
                if (entry.port == ForwardingTables.NO_PATH) {
                    out.append("UNREACHABLE\n");
                } else if (entry.hops < 0) {
                    out.append("%03d  : HOPS UNKNOWN\n".formatted(entry.port));
                } else if (entry.hops == entry.best) {
                    out.append("%03d  : %02d   : yes\n".formatted(entry.port, entry.hops));
                } else {
                    out.append("%03d  : %02d   : No %d hop path possible via port %d!\n"
                            .formatted(entry.port, entry.hops, entry.best, entry.port));
                }
            }
        }
        return out.toString();
    }
}
