package org.railyard.fabric.format;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;

/**
 * Hops from every switch to every LID, along the tables and by the shortest way; the hop to the end port counts too. A
 * byte for each pair of a switch and a LID and for each pair of switches, as OpenSM counts: more than {@value
 * #MAX_HOPS} hops are as good as unknown.
 */
final class HopTable {
    static final int MAX_HOPS = 253;

    private static final byte UNKNOWN = (byte) 0xFF;
    private static final byte NOT_YET = (byte) 0xFE;

    /** LIDs that are looked at together: what all switches say of one lies far apart in the tables. */
    private static final int BATCH = 64;

    private final Fabric fabric;
    private final int[] firstPort;
    /** By port of a switch: the switch at the other end of the cable. */
    private final int[] neighbour;
    /** By switch, then LID. */
    private final byte[][] routed;
    /** By last switch, then switch; empty for switches without LIDs. Without the hop to the end port. */
    private final byte[][] shortest;

    private final int[] queue;

    HopTable(Fabric fabric, ForwardingTables tables) {
        this.fabric = fabric;
        int switches = fabric.switchCount();
        firstPort = new int[switches];
        int ports = 0;
        for (int sw = 0; sw < switches; sw++) {
            firstPort[sw] = ports;
            ports += fabric.ports(sw) + 1;
        }
        neighbour = new int[ports];
        for (int sw = 0; sw < switches; sw++) {
            for (int number = 0; number <= fabric.ports(sw); number++) {
                int peer = number == 0 ? Fabric.NONE : fabric.peer(fabric.portIndex(sw, number));
                int far = peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
                neighbour[firstPort[sw] + number] = far != Fabric.NONE && fabric.isSwitch(far) ? far : Fabric.NONE;
            }
        }
        queue = new int[switches];
        routed = new byte[switches][fabric.maxLid() + 1];
        shortest = new byte[switches][0];
        fill(tables);
    }

    private void fill(ForwardingTables tables) {
        int[] lids = new int[fabric.maxLid()];
        Arrays.setAll(lids, i -> i + 1);
        byte[][] columns = new byte[BATCH][fabric.switchCount()];
        byte[] hops = new byte[fabric.switchCount()];
        for (int from = 0; from < lids.length; from += BATCH) {
            tables.copyColumns(lids, from, columns);
            for (int i = 0; i < BATCH && from + i < lids.length; i++) {
                int lid = lids[from + i];
                follow(columns[i], lid, hops);
                for (int sw = 0; sw < hops.length; sw++) {
                    routed[sw][lid] = hops[sw];
                }
            }
        }
    }

    /** Counts from all switches to one LID, along the output ports that they have for it. */
    private void follow(byte[] outputs, int lid, byte[] hops) {
        int last = lastSwitch(lid);
        if (last == Fabric.NONE) {
            Arrays.fill(hops, UNKNOWN);
            return;
        }
        if (shortest[last].length == 0) {
            shortest[last] = search(last);
        }
        Arrays.fill(hops, NOT_YET);
        hops[last] = lastHop(lid);
        for (int start = 0; start < hops.length; start++) {
            int depth = 0;
            int at = start;
            while (at != Fabric.NONE && hops[at] == NOT_YET) {
                // Whoever comes here again while this lasts goes in a circle.
                hops[at] = UNKNOWN;
                queue[depth++] = at;
                at = next(at, outputs[at] & 0xFF);
            }
            int count = at == Fabric.NONE ? 0xFF : hops[at] & 0xFF;
            while (depth > 0) {
                count = count >= MAX_HOPS ? 0xFF : count + 1;
                hops[queue[--depth]] = (byte) count;
            }
        }
    }

    private int next(int sw, int output) {
        return output > fabric.ports(sw) ? Fabric.NONE : neighbour[firstPort[sw] + output];
    }

    /** Breadth first from the last switch backwards, along every cable. */
    private byte[] search(int last) {
        byte[] hops = new byte[fabric.switchCount()];
        Arrays.fill(hops, UNKNOWN);
        hops[last] = 0;
        int head = 0;
        int tail = 0;
        queue[tail++] = last;
        while (head < tail) {
            int at = queue[head++];
            int count = (hops[at] & 0xFF) + 1;
            for (int number = 1; number <= fabric.ports(at) && count < MAX_HOPS; number++) {
                int from = neighbour[firstPort[at] + number];
                if (from != Fabric.NONE && hops[from] == UNKNOWN) {
                    hops[from] = (byte) count;
                    queue[tail++] = from;
                }
            }
        }
        return hops;
    }

    private int lastSwitch(int lid) {
        int port = fabric.portOfLid(lid);
        return port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
    }

    private byte lastHop(int lid) {
        return (byte) (fabric.switchPortOf(fabric.portOfLid(lid)) == 0 ? 0 : 1);
    }

    /** Returns the hops along the tables, −1 if they do not lead there. */
    int routed(int sw, int lid) {
        byte hops = routed[sw][lid];
        return hops == UNKNOWN ? -1 : hops & 0xFF;
    }

    /** Returns the fewest hops, −1 if the switch is cut off. */
    int best(int sw, int lid) {
        int last = lastSwitch(lid);
        if (last == Fabric.NONE || shortest[last][sw] == UNKNOWN) {
            return -1;
        }
        return (shortest[last][sw] & 0xFF) + lastHop(lid);
    }
}
