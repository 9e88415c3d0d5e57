package org.railyard.fabric.format;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;

/** {@code opensm.mcfdbs} (spec 31 §5.5). */
public final class MulticastDump {
    private MulticastDump() {}

    /**
     * Reads the tables. Switches that the fabric does not have are checked and left out.
     *
     * @param sls SL by multicast LID, which the file does not tell; 0 where the map has none
     * @throws FormatException if a line is malformed or a port is beyond the switch
     */
    public static MulticastTables parse(CharSequence text, Fabric fabric, Map<Integer, Integer> sls) {
        SortedMap<Integer, PortMask[]> masks = new TreeMap<>();
        LineScanner in = new LineScanner(text);
        int sw = Fabric.NONE;
        boolean header = false;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("LID")) {
                continue;
            }
            if (in.accept("Switch ")) {
                int start = in.position();
                sw = fabric.nodeOfGuid(in.hex("switch GUID"));
                header = true;
                if (sw != Fabric.NONE && !fabric.isSwitch(sw)) {
                    in.back(start);
                    throw in.fail("the GUID of a switch");
                }
            } else if (header) {
                row(in, fabric, sw, masks);
            } else {
                throw in.fail("\"Switch 0x…\"");
            }
        }
        SortedMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        masks.forEach((mlid, ports) -> trees.put(mlid, new MulticastTables.Tree(sls.getOrDefault(mlid, 0), ports)));
        return new MulticastTables(trees);
    }

    private static void row(LineScanner in, Fabric fabric, int sw, SortedMap<Integer, PortMask[]> masks) {
        int start = in.position();
        int mlid = in.hex(Lids.MAX_MULTICAST, "multicast LID");
        if (!Lids.isMulticast(mlid)) {
            in.back(start);
            throw in.fail("a multicast LID, 0xC000 to 0xFFFE");
        }
        in.skipBlanks();
        in.expect(":");
        PortMask mask = PortMask.EMPTY;
        while (!in.onlyBlanksLeft()) {
            mask = mask.with(in.hex(sw == Fabric.NONE ? Fabric.MAX_PORTS : fabric.ports(sw), "port"));
        }
        if (sw != Fabric.NONE) {
            PortMask[] ports = masks.computeIfAbsent(mlid, _ -> {
                PortMask[] none = new PortMask[fabric.switchCount()];
                Arrays.fill(none, PortMask.EMPTY);
                return none;
            });
            ports[sw] = mask;
        }
    }

    /** Returns the file: switches that forward any group, in the order of OpenSM. */
    public static String text(Fabric fabric, MulticastTables tables) {
        StringBuilder out = new StringBuilder();
        for (int sw : NodeOrder.switches(fabric)) {
            StringBuilder rows = new StringBuilder();
            for (int mlid : tables.mlids()) {
                MulticastTables.Tree tree = tables.tree(mlid);
                PortMask mask = tree == null ? PortMask.EMPTY : tree.ports(sw);
                if (!mask.isEmpty()) {
                    rows.append("0x%04X :".formatted(mlid));
                    for (int port = mask.next(0); port >= 0; port = mask.next(port + 1)) {
                        rows.append(" 0x%03X ".formatted(port));
                    }
                    rows.append('\n');
                }
            }
            if (!rows.isEmpty()) {
                out.append("\nSwitch 0x%016x\nLID    : Out Port(s)\n".formatted(fabric.guid(sw)))
                        .append(rows);
            }
        }
        return out.toString();
    }
}
