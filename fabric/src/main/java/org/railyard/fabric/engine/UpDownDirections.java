package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Up*&#47;down* (Schroeder et al. 1991): a packet goes up towards the root any number of hops, then down, and never up
 * again. Where there is a way that goes down only, it is taken: then a packet that came down always finds one.
 */
final class UpDownDirections implements Directions {
    private static final int FAR = Integer.MAX_VALUE / 2;

    private final CableGraph graph;
    /** Place of each switch in the order from the root down; a hop to a smaller place is up. */
    private final int[] place;

    private final int[] downFirst;
    private final int[] down;
    private final int[] any;
    private final int[] queue;

    UpDownDirections(CableGraph graph, int root) {
        this.graph = graph;
        int size = graph.size();
        int[] rank = graph.hopsTo(root);
        downFirst = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> rank[sw]))
                .mapToInt(Integer::intValue)
                .toArray();
        place = new int[size];
        for (int i = 0; i < size; i++) {
            place[downFirst[i]] = i;
        }
        down = new int[size];
        any = new int[size];
        queue = new int[size];
    }

    /** Returns whether the hop goes up. */
    boolean isUp(int from, int neighbour) {
        return place[neighbour] < place[from];
    }

    @Override
    public int turnTo(int target) {
        Arrays.fill(down, FAR);
        down[target] = 0;
        int tail = 0;
        queue[tail++] = target;
        for (int head = 0; head < tail; head++) {
            int at = queue[head];
            for (int i = 0; i < graph.degree(at); i++) {
                int above = graph.neighbour(at, i);
                if (isUp(at, above) && down[above] == FAR) {
                    down[above] = down[at] + 1;
                    queue[tail++] = above;
                }
            }
        }
        int cut = -1;
        for (int sw : downFirst) {
            any[sw] = down[sw];
            for (int i = 0; down[sw] == FAR && i < graph.degree(sw); i++) {
                int above = graph.neighbour(sw, i);
                if (isUp(sw, above)) {
                    any[sw] = Math.min(any[sw], any[above] + 1);
                }
            }
            cut = any[sw] >= FAR && graph.isLive(sw) ? sw : cut;
        }
        return cut;
    }

    @Override
    public boolean leads(int from, int neighbour) {
        if (down[from] < FAR) {
            return !isUp(from, neighbour) && down[neighbour] == down[from] - 1;
        }
        return isUp(from, neighbour) && any[neighbour] == any[from] - 1;
    }
}
