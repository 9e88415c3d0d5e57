package org.railyard.fabric.format;

import java.io.Reader;
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

    private static final byte[] COLON = PieceWriter.of(" : ");
    private static final byte[] UNREACHABLE = PieceWriter.of("UNREACHABLE");
    private static final byte[] AFTER_PORT = PieceWriter.of("  : ");
    private static final byte[] UNKNOWN = PieceWriter.of("HOPS UNKNOWN");
    private static final byte[] AFTER_HOPS = PieceWriter.of("   : ");
    private static final byte[] YES = PieceWriter.of("yes");
    private static final byte[] NO = PieceWriter.of("No ");
    private static final byte[] POSSIBLE = PieceWriter.of(" hop path possible via port ");
    private static final byte[] END = PieceWriter.of("!");

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

    /** Takes what is in a file, while the scanner is at the end of its line. */
    private interface Reading {
        void header(long guid, LineScanner in);

        void entry(Entry entry, LineScanner in);
    }

    /**
     * Reads the file.
     *
     * @throws FormatException if a line is malformed
     */
    public static UnicastDump parse(CharSequence text) {
        List<Long> guids = new ArrayList<>();
        List<List<Entry>> entries = new ArrayList<>();
        scan(Reader.of(text), new Reading() {
            @Override
            public void header(long guid, LineScanner in) {
                guids.add(guid);
                entries.add(new ArrayList<>());
            }

            @Override
            public void entry(Entry entry, LineScanner in) {
                entries.getLast().add(entry);
            }
        });
        List<SwitchTable> tables = new ArrayList<>();
        for (int i = 0; i < guids.size(); i++) {
            tables.add(new SwitchTable(guids.get(i), entries.get(i)));
        }
        return new UnicastDump(tables);
    }

    /**
     * Reads the tables of a fabric's switches from a text of any length; those of other switches are left out.
     *
     * @throws FormatException if a line is malformed, a port is beyond the switch or a switch comes twice
     * @throws java.io.UncheckedIOException if the text can not be read
     */
    public static ForwardingTables parse(Reader text, Fabric fabric) {
        byte[][] rows = new byte[fabric.switchCount()][0];
        scan(text, new Reading() {
            private int sw = Fabric.NONE;

            @Override
            public void header(long guid, LineScanner in) {
                sw = fabric.nodeOfGuid(guid);
                if (sw == Fabric.NONE) {
                    return;
                }
                if (!fabric.isSwitch(sw) || rows[sw].length > 0) {
                    in.back(0);
                    throw in.fail("the GUID of a switch that has no table yet");
                }
                rows[sw] = new byte[fabric.maxLid() + 1];
                Arrays.fill(rows[sw], (byte) ForwardingTables.NO_PATH);
            }

            @Override
            public void entry(Entry entry, LineScanner in) {
                if (sw == Fabric.NONE) {
                    return;
                }
                if (entry.port != ForwardingTables.NO_PATH && entry.port > fabric.ports(sw)) {
                    in.back(0);
                    throw in.fail("a port of " + fabric.description(sw) + ", 0 to " + fabric.ports(sw));
                }
                if (entry.lid < rows[sw].length) {
                    rows[sw][entry.lid] = (byte) entry.port;
                }
            }
        });
        return new ForwardingTables(rows);
    }

    private static void scan(Reader text, Reading reading) {
        LineScanner in = new LineScanner(text);
        boolean header = false;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("LID")) {
                continue;
            }
            if (in.accept(MARK)) {
                in.expect(" Switch ");
                reading.header(in.hex("switch GUID"), in);
                header = true;
            } else if (header) {
                reading.entry(entry(in), in);
            } else {
                throw in.fail("\"" + MARK + " Switch 0x…\"");
            }
        }
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

    /** Returns the file. */
    public String text() {
        return TextSink.collect(sink -> {
            PieceWriter out = new PieceWriter(sink);
            for (SwitchTable table : switches) {
                header(out, table.guid);
                for (Entry entry : table.entries) {
                    line(out, entry.lid, entry.port, entry.hops, entry.best);
                }
            }
            out.flush();
        });
    }

    /** Returns the file for tables, with the true hops of each route and of the shortest one. */
    public static String text(Fabric fabric, ForwardingTables tables) {
        return TextSink.collect(sink -> write(fabric, tables, sink));
    }

    /**
     * Writes the file for tables: switches in the order of OpenSM, a line for each LID. Takes a byte of memory for each
     * line.
     */
    public static void write(Fabric fabric, ForwardingTables tables, TextSink sink) {
        PieceWriter out = new PieceWriter(sink);
        HopTable hops = new HopTable(fabric, tables);
        byte[] best = new byte[fabric.maxLid() + 1];
        for (int sw : NodeOrder.switches(fabric)) {
            header(out, fabric.guid(sw));
            hops.best(sw, best);
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                line(out, lid, tables.port(sw, lid), HopTable.count(hops.routed(sw, lid)), HopTable.count(best[lid]));
            }
        }
        out.flush();
    }

    private static void header(PieceWriter out, long guid) {
        out.text("%s Switch 0x%016x\nLID    : Port : Hops : Optimal".formatted(MARK, guid))
                .endLine();
    }

    private static void line(PieceWriter out, int lid, int port, int hops, int best) {
        out.upperHex4(lid).bytes(COLON);
        if (port == ForwardingTables.NO_PATH) {
            out.bytes(UNREACHABLE).endLine();
            return;
        }
        out.decimal(port, 3).bytes(AFTER_PORT);
        if (hops < 0) {
            out.bytes(UNKNOWN).endLine();
            return;
        }
        out.decimal(hops, 2).bytes(AFTER_HOPS);
        if (hops == best) {
            out.bytes(YES).endLine();
        } else {
            out.bytes(NO).decimal(best, 1).bytes(POSSIBLE);
            out.decimal(port, 1).bytes(END).endLine();
        }
    }
}
