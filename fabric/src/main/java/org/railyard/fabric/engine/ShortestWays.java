package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Shortest ways to one destination after the other: least loaded cables first, or the same cables for all as far as
 * possible.
 */
final class ShortestWays {
    private static final int NONE = -1;

    private final CableGraph graph;
    private final Channels channels;
    private final boolean balanced;
    /** Ways of hosts that go by each channel so far. */
    private final long[] load;
    /** By switch: the load of all channels on its way. */
    private final long[] wayLoad;

    private final long[] passing;

    // Of the target that was asked for last.
    private int lastTarget = NONE;
    private int[] hops = {};
    private int[] nearest = {};

    /**
     * Begins without load.
     *
     * @param balanced whether the least loaded cable is taken, else the first towards the neighbour that is first
     */
    ShortestWays(CableGraph graph, Channels channels, boolean balanced) {
        this.graph = graph;
        this.channels = channels;
        this.balanced = balanced;
        load = new long[channels.count()];
        wayLoad = new long[graph.size()];
        passing = new long[graph.size()];
    }

    /** Returns the switches that have a way to one, the nearest first. */
    static int[] nearestFirst(int[] hops) {
        return IntStream.range(0, hops.length)
                .filter(sw -> hops[sw] >= 0)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> hops[sw]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Finds the ways to a switch.
     *
     * @param turn which of parallel cables is taken where load does not decide
     * @param ends how many destinations it is that these ways lead to: what they add to the load for each sender
     * @return by switch the channel it sends by, −1 where there is none
     */
    int[] to(int target, int turn, int ends) {
        if (target != lastTarget) {
            lastTarget = target;
            hops = graph.hopsTo(target);
            nearest = nearestFirst(hops);
        }
        int[] next = new int[graph.size()];
        Arrays.fill(next, NONE);
        wayLoad[nearest[0]] = 0;
        for (int i = 1; i < nearest.length; i++) {
            int sw = nearest[i];
            next[sw] = balanced ? leastLoaded(sw) : first(sw, turn);
            wayLoad[sw] = load[next[sw]] + wayLoad[channels.to(next[sw])];
        }
        Arrays.fill(passing, 0);
        for (int i = nearest.length - 1; i > 0; i--) {
            int sw = nearest[i];
            passing[sw] += graph.hosts(sw);
            load[next[sw]] += passing[sw] * ends;
            passing[channels.to(next[sw])] += passing[sw];
        }
        return next;
    }

    /** Returns the load of the channel that has most. */
    long mostLoaded() {
        return Arrays.stream(load).max().orElse(0);
    }

    private int leastLoaded(int sw) {
        int best = NONE;
        long most = Long.MAX_VALUE;
        for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
            if (hops[channels.to(out)] == hops[sw] - 1) {
                long way = load[out] + wayLoad[channels.to(out)];
                if (best == NONE || way < most || way == most && load[out] < load[best]) {
                    best = out;
                    most = way;
                }
            }
        }
        return best;
    }

    private int first(int sw, int turn) {
        int[] nearer = IntStream.range(channels.first(sw), channels.first(sw + 1))
                .filter(out -> hops[channels.to(out)] == hops[sw] - 1)
                .toArray();
        int[] parallel = Arrays.stream(nearer)
                .filter(out -> channels.to(out) == channels.to(nearer[0]))
                .toArray();
        return parallel[turn % parallel.length];
    }
}
