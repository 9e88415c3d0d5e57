package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.VlCodes;

/** The cables between switches, and the end ports of each switch. */
final class CableGraph {
    private static final int NONE = -1;

    private final Fabric fabric;
    /** Port numbers towards other switches, ascending, and the switches there. */
    private final int[][] ports;

    private final int[][] neighbours;
    private final boolean[] live;
    private final List<List<Integer>> lids = new ArrayList<>();

    CableGraph(Fabric fabric) {
        this.fabric = fabric;
        int switches = fabric.switchCount();
        ports = new int[switches][];
        neighbours = new int[switches][];
        live = new boolean[switches];
        for (int sw = 0; sw < switches; sw++) {
            lids.add(new ArrayList<>());
            live[sw] = fabric.isConnected(sw);
            int[] found = new int[fabric.ports(sw)];
            int[] there = new int[fabric.ports(sw)];
            int count = 0;
            for (int number = 1; number <= fabric.ports(sw); number++) {
                int peer = fabric.peer(fabric.portIndex(sw, number));
                int other = peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
                if (other != Fabric.NONE && other != sw && fabric.isSwitch(other)) {
                    found[count] = number;
                    there[count++] = other;
                }
            }
            ports[sw] = Arrays.copyOf(found, count);
            neighbours[sw] = Arrays.copyOf(there, count);
        }
        for (int lid = Lids.MIN_UNICAST; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            int sw = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
            if (sw != Fabric.NONE) {
                lids.get(sw).add(lid);
            }
        }
    }

    int size() {
        return ports.length;
    }

    int degree(int sw) {
        return ports[sw].length;
    }

    int port(int sw, int i) {
        return ports[sw][i];
    }

    int neighbour(int sw, int i) {
        return neighbours[sw][i];
    }

    /**
     * Whether some cable of the switch carries anything; others are as good as switched off, and nobody asks for ways
     * to them.
     */
    boolean isLive(int sw) {
        return live[sw];
    }

    /** Returns the first live switch, 0 if there is none. */
    int firstLive() {
        int sw = 0;
        while (sw < live.length && !live[sw]) {
            sw++;
        }
        return sw < live.length ? sw : 0;
    }

    /** Returns how many LIDs of end ports other than its own a switch has. */
    int hosts(int sw) {
        int own = 0;
        for (int lid : lids.get(sw)) {
            own += fabric.isSwitch(fabric.nodeOf(fabric.portOfLid(lid))) ? 1 : 0;
        }
        return lids.get(sw).size() - own;
    }

    /** LIDs of the switch and of its end ports, ascending. */
    List<Integer> lids(int sw) {
        return lids.get(sw);
    }

    /** Returns the data VLs that all ports between switches have, at most what the code says. */
    int dataVls(int maxCode) {
        int code = maxCode;
        for (int sw = 0; sw < ports.length; sw++) {
            for (int number : ports[sw]) {
                code = Math.min(code, fabric.vlCap(fabric.portIndex(sw, number)));
            }
        }
        return VlCodes.count(code);
    }

    /** Returns one of the switches that are farthest from another, the first of equals. */
    int farthest(int sw) {
        int[] hops = hopsTo(sw);
        int best = sw;
        for (int other = 0; other < hops.length; other++) {
            best = hops[other] > hops[best] ? other : best;
        }
        return best;
    }

    /** Returns a switch halfway between two that are far from each other: near the middle, found in three searches. */
    int middle(int start) {
        int one = farthest(start);
        int other = farthest(one);
        int[] hops = hopsTo(one);
        int at = other;
        for (int left = hops[other] / 2; left > 0; left--) {
            int i = 0;
            while (hops[neighbours[at][i]] != hops[at] - 1) {
                i++;
            }
            at = neighbours[at][i];
        }
        return at;
    }

    /** Returns the switch with hosts that is nearest to one, the first of equals; that one if none has any. */
    int nearestWithHosts(int sw) {
        int[] hops = hopsTo(sw);
        int best = NONE;
        for (int other = 0; other < hops.length; other++) {
            if (hops[other] >= 0 && hosts(other) > 0 && (best == NONE || hops[other] < hops[best])) {
                best = other;
            }
        }
        return best == NONE ? sw : best;
    }

    /** Returns the switches that are live, by their distance from one at the edge: neighbours are close together. */
    int[] fromEdge() {
        int[] hops = hopsTo(farthest(firstLive()));
        return IntStream.range(0, hops.length)
                .filter(this::isLive)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> hops[sw]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Returns the hops from every switch to one, −1 where there is no way. */
    int[] hopsTo(int target) {
        int[] hops = new int[ports.length];
        Arrays.fill(hops, -1);
        int[] queue = new int[ports.length];
        int tail = 0;
        queue[tail++] = target;
        hops[target] = 0;
        for (int head = 0; head < tail; head++) {
            int at = queue[head];
            for (int next : neighbours[at]) {
                if (hops[next] < 0) {
                    hops[next] = hops[at] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return hops;
    }
}
