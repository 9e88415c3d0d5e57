package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.PathSls;

/** ibdmchk's path SLs, {@code ibdm.psl}: lines of CA node GUID, destination LID, SL, or blocks under a header with the port GUID (spec 31 §6.1). */
public final class PathSlFile {
    private static final int MAX_SL = 15;

    private PathSlFile() {}

    /**
     * Reads the SLs. Lines of nodes and LIDs that the fabric does not have are checked and left out.
     *
     * @throws FormatException if a line is malformed, or the fabric has more than 16,384 end ports
     */
    public static PathSls parse(CharSequence text, Fabric fabric) {
        LineScanner in = new LineScanner(text);
        SlTable.Builder table = new SlTable.Builder(fabric, in);
        PortGuids guids = new PortGuids(fabric);
        int header = Fabric.NONE;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                continue;
            }
            if (in.accept("Channel Adapter ") || in.accept("Switch ") || in.accept("Router ")) {
                header = guids.port(in.hex("port GUID"));
                continue;
            }
            long first = in.hex("node GUID or LID");
            in.skipBlanks();
            if (in.accept(":")) {
                in.skipBlanks();
                if (in.accept("UNREACHABLE")) {
                    continue;
                }
                int sl = in.decimal(MAX_SL, "SL");
                if (header != Fabric.NONE && fabric.lid(header) != 0 && first <= Lids.MAX_UNICAST) {
                    table.set(fabric.lid(header), (int) first, sl);
                }
            } else {
                int lid = in.decimal(Lids.MAX_UNICAST, "destination LID");
                in.expectBlanks();
                int sl = in.decimal(MAX_SL, "SL");
                in.expectEnd();
                fromNode(fabric, fabric.nodeOfGuid(first), lid, sl, table);
            }
        }
        return table.build();
    }

    private static void fromNode(Fabric fabric, int node, int lid, int sl, SlTable.Builder table) {
        for (int number = 0; node != Fabric.NONE && number <= fabric.ports(node); number++) {
            int port = fabric.portIndex(node, number);
            if (fabric.lid(port) != 0) {
                table.set(fabric.lid(port), lid, sl);
            }
        }
    }

    /**
     * Returns the file: every CA by ascending GUID, every LID that has an SL. A CA with ports on several switches has the SLs of its first port
     * with a LID, because the format knows nodes only.
     *
     * @param level QoS level
     */
    public static String text(Fabric fabric, PathSls sls, int level) {
        StringBuilder out = new StringBuilder();
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            int source = fabric.type(node) == NodeType.CA ? firstLid(fabric, node) : 0;
            int sourceClass = source == 0 ? -1 : sls.classOf(source);
            String guid = "0x%016x ".formatted(fabric.guid(node));
            for (int lid = 1; sourceClass >= 0 && lid <= fabric.maxLid(); lid++) {
                int destination = fabric.portOfLid(lid) == Fabric.NONE ? -1 : sls.classOf(lid);
                int sl = destination < 0 ? PathSls.NO_SL : sls.classSl(sourceClass, destination, level);
                if (sl != PathSls.NO_SL) {
                    out.append(guid).append(lid).append(' ').append(sl).append('\n');
                }
            }
        }
        return out.toString();
    }

    private static int firstLid(Fabric fabric, int node) {
        for (int number = 1; number <= fabric.ports(node); number++) {
            int lid = fabric.lid(fabric.portIndex(node, number));
            if (lid != 0) {
                return lid;
            }
        }
        return 0;
    }
}
