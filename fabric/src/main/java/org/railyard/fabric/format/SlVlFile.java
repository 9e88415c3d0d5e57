package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;

/** ibdmchk's SL to VL, {@code ibdm.slvl}: switch GUID, input, output and eight pairs of VLs (spec 31 §6). */
public final class SlVlFile {
    private SlVlFile() {}

    /**
     * Reads the tables. Switches that the fabric does not have are checked and left out. What the file does not tell
     * maps SL 0–15 to VL 0.
     *
     * @throws FormatException if a line is malformed
     */
    public static SlToVl parse(CharSequence text, Fabric fabric) {
        SlToVlTables.Builder tables = new SlToVlTables.Builder(fabric, SlToVl.ALL_ZERO);
        LineScanner in = new LineScanner(text);
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                continue;
            }
            int sw = fabric.nodeOfGuid(in.hex("switch GUID"));
            boolean known = sw != Fabric.NONE && fabric.isSwitch(sw);
            int most = known ? fabric.ports(sw) : Fabric.MAX_PORTS;
            in.expectBlanks();
            int input = in.decimal(most, "input port");
            in.expectBlanks();
            int output = in.decimal(most, "output port");
            long table = 0;
            for (int sl = 0; sl < 16; sl += 2) {
                in.expectBlanks();
                int pair = in.hex(0xFF, "two VLs");
                table |= (long) (pair >> 4) << 4 * sl | (long) (pair & 0xF) << 4 * (sl + 1);
            }
            in.expectEnd();
            if (known) {
                tables.set(sw, input, output, table);
            }
        }
        return tables.build();
    }

    /** Returns the file: switches in the order of OpenSM, output ports with a peer, inputs from 0 on. */
    public static String text(Fabric fabric, SlToVl tables) {
        StringBuilder out = new StringBuilder();
        for (int sw : NodeOrder.switches(fabric)) {
            for (int output = 1; output <= fabric.ports(sw); output++) {
                if (fabric.peer(fabric.portIndex(sw, output)) == Fabric.NONE) {
                    continue;
                }
                for (int input = 0; input <= fabric.ports(sw); input++) {
                    long table = tables.table(sw, input, output);
                    out.append("0x%016x %d %d".formatted(fabric.guid(sw), input, output));
                    for (int sl = 0; sl < 16; sl += 2) {
                        out.append(" 0x%x%x".formatted(SlToVl.vl(table, sl), SlToVl.vl(table, sl + 1)));
                    }
                    out.append('\n');
                }
            }
        }
        return out.toString();
    }
}
