package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;

/** The cables between switches, and the end ports of each switch. */
final class CableGraph {
    private static final int[] DATA_VLS = {0, 1, 2, 4, 8, 15};

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
        return DATA_VLS[code];
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
