package org.railyard.fabric.torus.placement;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;

/**
 * Which switch is next to which, by which ports: the parallel cables between two switches are one edge. Cables that are
 * down, of end nodes, and of a switch to itself are left out. Immutable; any thread.
 */
public final class SwitchGraph {
    /** A cable in the making is one number: the neighbour's switch index above the own port. */
    private static final int PORT_BITS = 8;

    private final int[][] neighbours;
    private final int[][][] cables;

    private SwitchGraph(int[][] neighbours, int[][][] cables) {
        this.neighbours = neighbours;
        this.cables = cables;
    }

    /** Returns the graph of {@code fabric}: O(switches + cables). */
    public static SwitchGraph of(Fabric fabric) {
        int switches = fabric.switchCount();
        int[][] neighbours = new int[switches][];
        int[][][] cables = new int[switches][][];
        for (int at = 0; at < switches; at++) {
            long[] links = links(fabric, at);
            int distinct = 0;
            for (int i = 0; i < links.length; i++) {
                distinct += i == 0 || other(links[i]) != other(links[i - 1]) ? 1 : 0;
            }
            neighbours[at] = new int[distinct];
            cables[at] = new int[distinct][];
            int next = 0;
            for (int from = 0; from < links.length; next++) {
                int to = from;
                while (to < links.length && other(links[to]) == other(links[from])) {
                    to++;
                }
                neighbours[at][next] = other(links[from]);
                cables[at][next] = new int[to - from];
                for (int i = from; i < to; i++) {
                    cables[at][next][i - from] = (int) links[i] & 0xFF;
                }
                from = to;
            }
        }
        return new SwitchGraph(neighbours, cables);
    }

    /** Returns the cables of a switch as sortable numbers: neighbour, then own port. */
    private static long[] links(Fabric fabric, int at) {
        long[] links = new long[fabric.ports(at)];
        int count = 0;
        for (int port = 1; port <= fabric.ports(at); port++) {
            int peer = fabric.peer(fabric.portIndex(at, port));
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) && fabric.nodeOf(peer) != at) {
                links[count++] = (long) fabric.nodeOf(peer) << PORT_BITS | port;
            }
        }
        links = Arrays.copyOf(links, count);
        Arrays.sort(links);
        return links;
    }

    private static int other(long link) {
        return (int) (link >>> PORT_BITS);
    }

    /** Returns the number of switches. */
    int switches() {
        return neighbours.length;
    }

    /** Returns the neighbours of a switch, ascending; not to be changed. */
    int[] neighbours(int at) {
        return neighbours[at];
    }

    /** Tells whether two switches are joined by a cable. */
    boolean joined(int a, int b) {
        return Arrays.binarySearch(neighbours[a], b) >= 0;
    }

    /** Returns the ports of {@code at} that lead to {@code neighbour}, ascending; empty if none. Not to be changed. */
    int[] ports(int at, int neighbour) {
        int index = Arrays.binarySearch(neighbours[at], neighbour);
        return index < 0 ? new int[0] : cables[at][index];
    }
}
