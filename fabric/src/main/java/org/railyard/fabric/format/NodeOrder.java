package org.railyard.fabric.format;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;

/**
 * The order of OpenSM's dumps: ascending by GUID, but compared as a little-endian machine sees a GUID in network byte
 * order. Seen in dumps of real fabrics.
 */
final class NodeOrder {
    private NodeOrder() {}

    /** Returns all nodes, by node GUID. */
    static int[] nodes(Fabric fabric) {
        return byGuid(fabric, fabric.nodeCount());
    }

    /** Returns the switches, by node GUID. */
    static int[] switches(Fabric fabric) {
        return byGuid(fabric, fabric.switchCount());
    }

    private static int[] byGuid(Fabric fabric, int nodes) {
        return IntStream.range(0, nodes)
                .boxed()
                .sorted(Comparator.comparing(fabric::guid, NodeOrder::compare))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Returns port 0 of the switches that are in some cable and the cabled ports of other nodes, by port GUID: what
     * OpenSM can see.
     */
    static int[] endPorts(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndPort(port)
                        && (fabric.isSwitch(fabric.nodeOf(port))
                                ? fabric.isConnected(fabric.nodeOf(port))
                                : fabric.peer(port) != Fabric.NONE))
                .boxed()
                .sorted(Comparator.comparing(fabric::portGuid, NodeOrder::compare))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static int compare(long a, long b) {
        return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
    }
}
