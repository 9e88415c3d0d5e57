package org.railyard.fabric.format;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;

/** Counts hops to one LID at a time, from all switches: along the tables and along the shortest way. The hop to the end port counts too. */
final class Hops {
    /** Along any cable. */
    private static final int ANY = -1;

    private final Fabric fabric;
    private final ForwardingTables tables;
    private final int[] routed;
    private final int[] best;
    private final int[] queue;

    Hops(Fabric fabric, ForwardingTables tables) {
        this.fabric = fabric;
        this.tables = tables;
        routed = new int[fabric.switchCount()];
        best = new int[fabric.switchCount()];
        queue = new int[fabric.switchCount()];
    }

    /** Counts for this LID; what was counted before is gone. */
    void to(int lid) {
        Arrays.fill(routed, -1);
        Arrays.fill(best, -1);
        int port = fabric.portOfLid(lid);
        int last = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
        if (last == Fabric.NONE) {
            return;
        }
        int first = fabric.switchPortOf(port) == 0 ? 0 : 1;
        search(last, first, lid, routed);
        search(last, first, ANY, best);
    }

    /** Breadth first from the last switch backwards; along every cable, or only along those that the tables take. */
    private void search(int last, int first, int lid, int[] hops) {
        hops[last] = first;
        int head = 0;
        int tail = 0;
        queue[tail++] = last;
        while (head < tail) {
            int at = queue[head++];
            for (int number = 1; number <= fabric.ports(at); number++) {
                int peer = fabric.peer(fabric.portIndex(at, number));
                int from = peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
                if (from == Fabric.NONE || !fabric.isSwitch(from) || hops[from] >= 0) {
                    continue;
                }
                if (lid == ANY || tables.port(from, lid) == fabric.portNumber(peer)) {
                    hops[from] = hops[at] + 1;
                    queue[tail++] = from;
                }
            }
        }
    }

    /** Returns the hops along the tables, −1 if they do not lead there. */
    int routed(int sw) {
        return routed[sw];
    }

    /** Returns the fewest hops, −1 if the switch is cut off. */
    int best(int sw) {
        return best[sw];
    }
}
