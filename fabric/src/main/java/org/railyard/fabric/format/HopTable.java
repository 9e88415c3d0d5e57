package org.railyard.fabric.format;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;

/**
 * Hops from every switch to every LID, along the tables and by the shortest way; the hop to the end port counts too. A
 * byte for each pair of a switch and a LID, as OpenSM counts: more than {@value #MAX_HOPS} hops are as good as unknown.
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
    /** By LID: the last switch on the way there, or {@link Fabric#NONE}. */
    private final int[] lastSwitch;
    /** By LID: the port of that switch that leads there, 0 to itself. */
    private final int[] lastPort;

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
        lastSwitch = new int[fabric.maxLid() + 1];
        lastPort = new int[lastSwitch.length];
        for (int lid = 0; lid < lastSwitch.length; lid++) {
            int port = fabric.portOfLid(lid);
            lastSwitch[lid] = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
            lastPort[lid] = lastSwitch[lid] == Fabric.NONE ? Fabric.NONE : fabric.switchPortOf(port);
        }
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
        int last = lastSwitch[lid];
        if (last == Fabric.NONE) {
            Arrays.fill(hops, UNKNOWN);
            return;
        }
        Arrays.fill(hops, NOT_YET);
        hops[last] = (outputs[last] & 0xFF) == lastPort[lid] ? lastHop(lid) : UNKNOWN;
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

    /** Returns the hops behind the last switch. */
    private byte lastHop(int lid) {
        return (byte) (lastPort[lid] == 0 ? 0 : 1);
    }

    private int next(int sw, int output) {
        return output > fabric.ports(sw) ? Fabric.NONE : neighbour[firstPort[sw] + output];
    }

    /** Breadth first from a switch, along every cable: hops by switch. Cables lead both ways, and so do the hops. */
    private byte[] search(int start) {
        byte[] hops = new byte[fabric.switchCount()];
        Arrays.fill(hops, UNKNOWN);
        hops[start] = 0;
        int head = 0;
        int tail = 0;
        queue[tail++] = start;
        while (head < tail) {
            int at = queue[head++];
            int count = (hops[at] & 0xFF) + 1;
            int end = at + 1 < firstPort.length ? firstPort[at + 1] : neighbour.length;
            for (int port = firstPort[at] + 1; port < end && count < MAX_HOPS; port++) {
                int next = neighbour[port];
                if (next != Fabric.NONE && hops[next] == UNKNOWN) {
                    hops[next] = (byte) count;
                    queue[tail++] = next;
                }
            }
        }
        return hops;
    }

    /** Returns the hops along the tables, to be read by {@link #count}. */
    byte routed(int sw, int lid) {
        return routed[sw][lid];
    }

    /**
     * Fills in the fewest hops from a switch, to be read by {@link #count}.
     *
     * @param best by LID
     */
    void best(int sw, byte[] best) {
        byte[] from = search(sw);
        for (int lid = 0; lid < best.length; lid++) {
            int last = lastSwitch[lid];
            best[lid] = last == Fabric.NONE || from[last] == UNKNOWN ? UNKNOWN : (byte) (from[last] + lastHop(lid));
        }
    }

    /** Returns a number of hops, −1 if no way leads there. */
    static int count(byte hops) {
        return hops == UNKNOWN ? -1 : hops & 0xFF;
    }
}
