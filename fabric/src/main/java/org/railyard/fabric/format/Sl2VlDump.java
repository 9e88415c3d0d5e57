package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;

/** {@code opensm-sl2vl.dump} (spec 31 §5.3). */
public final class Sl2VlDump {
    private static final String COLUMNS = "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15";
    private static final String RULE = "#" + "-".repeat(56);

    private Sl2VlDump() {}

    /**
     * Reads the tables. Nodes that the fabric does not have are checked and left out. What a file without switches does
     * not tell maps SL 0–15 to VL 0, and so do tables of CAs that it does not have.
     *
     * @throws FormatException if a line is malformed, or a switch lacks a table between two ports with cables while the
     *     file has some of switches: it is cut off, or of another fabric
     */
    public static SlToVl parse(CharSequence text, Fabric fabric) {
        SlToVlTables.Builder tables = new SlToVlTables.Builder(fabric, SlToVl.ALL_ZERO);
        EndPortsByGuid guids = new EndPortsByGuid(fabric);
        LineScanner in = new LineScanner(text);
        int port = Fabric.NONE;
        boolean header = false;
        boolean hasSwitch = false;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                continue;
            }
            if (in.accept("Switch ") || in.accept("Channel Adapter ") || in.accept("Router ")) {
                port = guids.port(in.hex("port GUID"));
                hasSwitch |= port != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port));
                header = true;
            } else if (header) {
                row(in, fabric, port, tables);
            } else {
                throw in.fail("\"Switch 0x…\", \"Channel Adapter 0x…\" or \"Router 0x…\"");
            }
        }
        SlToVlTables read = tables.build();
        if (hasSwitch) {
            requireWhole(in, fabric, read);
        }
        return read;
    }

    private static void requireWhole(LineScanner in, Fabric fabric, SlToVlTables read) {
        for (SlToVlTables.Untold each : read.untold(fabric)) {
            if (each.in() != 0 && each.in() != each.out()) {
                int sw = each.switchIndex();
                throw in.fail(
                        "the table from port %d to %d of switch 0x%016x \"%s\": this file is cut off, or of another fabric"
                                .formatted(
                                        each.in(),
                                        each.out(),
                                        fabric.guid(sw),
                                        Sanitiser.clean(fabric.rawDescription(sw))));
            }
        }
    }

    private static void row(LineScanner in, Fabric fabric, int port, SlToVlTables.Builder tables) {
        int node = port == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(port);
        boolean isSwitch = node != Fabric.NONE && fabric.isSwitch(node);
        int most = isSwitch ? fabric.ports(node) : Fabric.MAX_PORTS;
        int input = in.decimal(most, "input port");
        in.expectBlanks();
        int output = in.decimal(most, "output port");
        in.expectBlanks();
        in.expect(":");
        long table = 0;
        for (int sl = 0; sl < 16; sl++) {
            in.expectBlanks();
            table |= (long) in.decimal(SlToVl.DROP, "VL") << 4 * sl;
        }
        in.expectEnd();
        if (isSwitch) {
            tables.set(node, input, output, table);
        } else if (node != Fabric.NONE) {
            tables.setEnd(port, table);
        }
    }

    /**
     * Returns the file: end ports in the order of OpenSM; of a switch the output ports with a peer, ascending, and all
     * inputs from 0 on.
     */
    public static String text(Fabric fabric, SlToVl tables) {
        StringBuilder out = new StringBuilder();
        for (int port : NodeOrder.endPorts(fabric)) {
            header(out, fabric, port);
            int node = fabric.nodeOf(port);
            if (fabric.isSwitch(node)) {
                rows(out, fabric, node, tables);
            } else {
                row(out, 0, 0, tables.endTable(port));
            }
            out.append(RULE).append("\n\n");
        }
        return out.toString();
    }

    private static void rows(StringBuilder out, Fabric fabric, int sw, SlToVl tables) {
        for (int output = 1; output <= fabric.ports(sw); output++) {
            if (fabric.peer(fabric.portIndex(sw, output)) != Fabric.NONE) {
                for (int input = 0; input <= fabric.ports(sw); input++) {
                    row(out, input, output, tables.table(sw, input, output));
                }
            }
        }
    }

    private static void header(StringBuilder out, Fabric fabric, int port) {
        int node = fabric.nodeOf(port);
        out.append("%s 0x%016x, base LID %d, \"%s\"\n"
                .formatted(
                        NodeNames.spoken(fabric.type(node)),
                        fabric.portGuid(port),
                        fabric.lid(port),
                        Sanitiser.clean(fabric.rawDescription(node))));
        out.append(COLUMNS).append('\n').append(RULE).append('\n');
    }

    private static void row(StringBuilder out, int input, int output, long table) {
        padded(out, input, 3);
        out.append(' ');
        padded(out, output, 3);
        out.append(" :");
        for (int sl = 0; sl < 16; sl++) {
            out.append(' ');
            padded(out, SlToVl.vl(table, sl), 2);
        }
        out.append('\n');
    }

    private static void padded(StringBuilder out, int number, int width) {
        int start = out.length();
        out.append(number);
        while (out.length() - start < width) {
            out.append(' ');
        }
    }
}
