package org.railyard.fabric.format;

import java.io.Reader;
import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;

/** {@code opensm-lfts.dump}, which is also what OpenSM's engine {@code file} reads (spec 31 §5.1). */
public final class LftsDump {
    private static final byte[] BLANK = PieceWriter.of(" ");

    private LftsDump() {}

    /**
     * Reads the tables of a fabric's switches. Tables of other switches are checked and left out; switches without
     * table have no paths. A LID whose line names a port GUID that has another LID now goes to that port's LID; two
     * that would have to go to one, by different ports, are an error.
     *
     * @throws FormatException if a line is malformed, a switch comes twice, a port is beyond the switch, there is text
     *     and no table, or other tables say how many LIDs they have and the last does not: the file is cut off
     */
    public static ForwardingTables parse(CharSequence text, Fabric fabric) {
        return parse(Reader.of(text), fabric);
    }

    /**
     * Reads the same from a text of any length; the tables are all that it keeps in memory.
     *
     * @throws FormatException as for a text
     * @throws java.io.UncheckedIOException if the text can not be read
     */
    public static ForwardingTables parse(Reader text, Fabric fabric) {
        byte[][] rows = new byte[fabric.switchCount()][0];
        EndPortsByGuid guids = new EndPortsByGuid(fabric);
        boolean[] seen = new boolean[rows.length];
        int[] written = new int[fabric.maxLid() + 1];
        LineScanner in = new LineScanner(text);
        int at = Fabric.NONE;
        boolean header = false;
        boolean open = false;
        boolean counted = false;
        while (in.nextLine()) {
            in.skipBlanks();
            if (in.accept("Unicast lids")) {
                header = true;
                open = true;
                Arrays.fill(written, 0);
                in.upTo(" guid ", "Unicast lids");
                int start = in.position();
                at = fabric.nodeOfGuid(in.hex("switch GUID"));
                if (at != Fabric.NONE && (!fabric.isSwitch(at) || seen[at])) {
                    in.back(start);
                    throw in.fail("the GUID of a switch that has no table yet");
                }
                if (at != Fabric.NONE) {
                    seen[at] = true;
                    rows[at] = new byte[fabric.maxLid() + 1];
                    Arrays.fill(rows[at], (byte) ForwardingTables.NO_PATH);
                }
            } else if (in.restStartsWith("Multicast mlids")) {
                throw in.fail("unicast tables");
            } else if (in.restStartsWith("0x")) {
                if (!header) {
                    throw in.fail("\"Unicast lids … guid …\" before the first entry");
                }
                entry(in, fabric, at, at == Fabric.NONE ? new byte[0] : rows[at], guids, written);
            } else if (in.current().contains("lids dumped")) {
                counted = true;
                open = false;
            } else if (!header && !in.atEnd() && !in.restStartsWith("#")) {
                throw in.fail("\"Unicast lids … guid …\", the head of a table");
            }
        }
        if (counted && open) {
            throw in.fail("more entries and \"… lids dumped\", as after the other tables: this file is cut off");
        }
        return new ForwardingTables(rows);
    }

    private static void entry(LineScanner in, Fabric fabric, int sw, byte[] row, EndPortsByGuid guids, int[] written) {
        int lid = in.hex(Lids.MAX_UNICAST, "LID");
        in.expectBlanks();
        int most = sw == Fabric.NONE ? Fabric.MAX_PORTS : fabric.ports(sw);
        int port = in.decimal(most, "port");
        int present = lid;
        int mark = in.current().indexOf(" portguid 0x", in.position());
        if (mark >= 0) {
            in.back(mark + " portguid ".length());
            present = guids.presentLid(in.hex("port GUID"), lid);
        }
        if (present < row.length) {
            if (written[present] != 0 && written[present] != lid && (row[present] & 0xFF) != port) {
                in.back(0);
                throw in.fail("port %d, as for LID 0x%04x, or a topology or guid2lid with both LIDs of this port GUID"
                        .formatted(row[present] & 0xFF, written[present]));
            }
            written[present] = lid;
            row[present] = (byte) port;
        }
    }

    /** Returns the file: switches in the order of OpenSM, LIDs ascending, those without path left out. */
    public static String text(Fabric fabric, ForwardingTables tables) {
        return TextSink.collect(sink -> write(fabric, tables, sink));
    }

    /** Writes the file, a line for each switch and LID. */
    public static void write(Fabric fabric, ForwardingTables tables, TextSink sink) {
        PieceWriter out = new PieceWriter(sink);
        byte[][] owners = new byte[fabric.maxLid() + 1][];
        Arrays.setAll(owners, lid -> PieceWriter.of(" # " + owner(fabric, lid)));
        for (int sw : NodeOrder.switches(fabric)) {
            int own = fabric.portIndex(sw, 0);
            out.text("Unicast lids [0-%d] of switch Lid %d guid 0x%016x ('%s'):"
                            .formatted(
                                    fabric.maxLid(),
                                    fabric.lid(own),
                                    fabric.guid(sw),
                                    Sanitiser.clean(fabric.rawDescription(sw))))
                    .endLine();
            for (int lid = 1; lid < owners.length; lid++) {
                int port = tables.port(sw, lid);
                if (port <= fabric.ports(sw)) {
                    out.hex4(lid)
                            .bytes(BLANK)
                            .decimal(port, 3)
                            .bytes(owners[lid])
                            .endLine();
                }
            }
            // OpenSM names the largest LID here, however many lines there are.
            out.text(fabric.maxLid() + " lids dumped").endLine();
        }
        out.flush();
    }

    private static String owner(Fabric fabric, int lid) {
        int port = fabric.portOfLid(lid);
        if (port == Fabric.NONE) {
            return "unknown node and type";
        }
        int node = fabric.nodeOf(port);
        return "%s portguid 0x%016x: '%s'"
                .formatted(
                        NodeNames.spoken(fabric.type(node)),
                        fabric.portGuid(port),
                        Sanitiser.clean(fabric.rawDescription(node)));
    }
}
