package org.railyard.fabric.format;

import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.PairSls;
import org.railyard.fabric.route.PathSls;

/**
 * ibdmchk's path SLs, {@code ibdm.psl}: lines of CA node GUID, destination LID, SL, or blocks under a header with the
 * port GUID (spec 31 §6).
 */
public final class PathSlFile {
    private static final int MAX_SL = 15;
    private static final byte[] COLON = PieceWriter.of(" : ");
    private static final byte[] BLANK = PieceWriter.of(" ");

    private PathSlFile() {}

    /**
     * Reads the SLs. Lines of nodes and LIDs that the fabric does not have are checked and left out.
     *
     * @throws FormatException if a line is malformed, or the fabric has more than 16,384 end ports, with
     *     several LIDs fewer
     */
    public static PathSls parse(CharSequence text, Fabric fabric) {
        return parse(Reader.of(text), fabric);
    }

    /**
     * Reads the same from a text of any length; the table of SLs is all that it keeps in memory.
     *
     * @throws FormatException as for a text
     * @throws java.io.UncheckedIOException if the text can not be read
     */
    public static PathSls parse(Reader text, Fabric fabric) {
        LineScanner in = new LineScanner(text);
        if (!PairSls.canTellLids(fabric)) {
            throw in.fail("a fabric of at most %d end ports with one LID each".formatted(PairSls.MAX_END_PORTS));
        }
        PairSls.Builder table = PairSls.Builder.ofLids(fabric);
        EndPortsByGuid guids = new EndPortsByGuid(fabric);
        int source = Fabric.NONE;
        boolean header = false;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                continue;
            }
            if (in.accept("Channel Adapter ") || in.accept("Switch ") || in.accept("Router ")) {
                source = guids.port(in.hex("port GUID"));
                header = true;
                continue;
            }
            int start = in.position();
            long first = in.hex("node GUID or LID");
            in.skipBlanks();
            if (in.accept(":")) {
                if (!header || first < 0 || first > Lids.MAX_UNICAST) {
                    in.back(start);
                    throw in.fail(
                            header
                                    ? "a LID, 0 to " + Lids.MAX_UNICAST
                                    : "\"Channel Adapter 0x…\" before SLs by LID alone");
                }
                in.skipBlanks();
                if (in.accept("UNREACHABLE")) {
                    continue;
                }
                int sl = in.decimal(MAX_SL, "SL");
                if (source != Fabric.NONE && fabric.lid(source) != 0) {
                    table.set(fabric.lid(source), (int) first, sl);
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

    private static void fromNode(Fabric fabric, int node, int lid, int sl, PairSls.Builder table) {
        for (int number = 0; node != Fabric.NONE && number <= fabric.ports(node); number++) {
            int port = fabric.portIndex(node, number);
            if (fabric.lid(port) != 0) {
                table.set(fabric.lid(port), lid, sl);
            }
        }
    }

    /**
     * Returns the file: every CA by ascending GUID, every LID that has an SL. A CA whose ports have different SLs gets
     * a block for each of them, under the GUID of the port; ibdmchk, which knows nodes only, takes one of them for all.
     *
     * @param level QoS level
     */
    public static String text(Fabric fabric, PathSls sls, int level) {
        return TextSink.collect(sink -> write(fabric, sls, level, sink));
    }

    /** Writes the file, a line for each CA and LID. */
    public static void write(Fabric fabric, PathSls sls, int level, TextSink sink) {
        PieceWriter out = new PieceWriter(sink);
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            List<Integer> ports = fabric.type(node) == NodeType.CA ? portsWithLid(fabric, node) : List.of();
            long classes = ports.stream()
                    .map(port -> sls.classOf(fabric.lid(port)))
                    .distinct()
                    .count();
            for (int port : classes > 1 ? ports : ports.subList(0, Math.min(1, ports.size()))) {
                port(fabric, sls, level, port, classes > 1, out);
            }
        }
        out.flush();
    }

    private static void port(Fabric fabric, PathSls sls, int level, int port, boolean block, PieceWriter out) {
        int sourceClass = sls.classOf(fabric.lid(port));
        byte[] guid = PieceWriter.of("0x%016x ".formatted(fabric.guid(fabric.nodeOf(port))));
        if (block && sourceClass >= 0) {
            out.text("Channel Adapter 0x%016x, base LID %d".formatted(fabric.portGuid(port), fabric.lid(port)))
                    .endLine();
        }
        for (int lid = 1; sourceClass >= 0 && lid <= fabric.maxLid(); lid++) {
            int destination = fabric.portOfLid(lid) == Fabric.NONE ? -1 : sls.classOf(lid);
            int sl = destination < 0 ? PathSls.NO_SL : sls.classSl(sourceClass, destination, level);
            if (sl == PathSls.NO_SL) {
                continue;
            }
            if (block) {
                out.upperHex4(lid).bytes(COLON).decimal(sl, 1).endLine();
            } else {
                out.bytes(guid).decimal(lid, 1).bytes(BLANK).decimal(sl, 1).endLine();
            }
        }
    }

    /** Returns how many lines the file has at most: ports of CAs times LIDs. */
    public static long maxLines(Fabric fabric) {
        long sources = 0;
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            sources += fabric.type(node) == NodeType.CA
                    ? portsWithLid(fabric, node).size()
                    : 0;
        }
        return sources * fabric.maxLid();
    }

    private static List<Integer> portsWithLid(Fabric fabric, int node) {
        List<Integer> ports = new ArrayList<>();
        for (int number = 1; number <= fabric.ports(node); number++) {
            if (fabric.lid(fabric.portIndex(node, number)) != 0) {
                ports.add(fabric.portIndex(node, number));
            }
        }
        return ports;
    }
}
