package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ways up and down a fat tree. A destination gets one way down, from a switch at the top, by the cables that the fewest
 * destinations have so far; all that come from elsewhere go up towards that switch, until they meet this way. So each
 * destination has a top of its own as long as there are some, and hosts that send to different ones do not meet: in a
 * tree with as many cables up as down, the destinations of a shift do not share a cable.
 */
final class TreeWays {
    private static final int NONE = -1;

    private final CableGraph graph;
    private final Channels channels;
    private final TreeLevels levels;
    private final int[] fromTop;
    /** Destinations by channel downwards, ways of switches with hosts by channel upwards. */
    private final int[] load;

    /** Which of the parallel cables to the same switch a channel upwards is. */
    private final int[] rank;

    /** Which of them the way down takes, by the level below. */
    private final int[] wanted;

    // Of the destination at hand, by switch.
    private final int[] next;
    private final int[] hops;
    private final boolean[] below;
    private final boolean[] towards;

    TreeWays(CableGraph graph, Channels channels, TreeLevels levels) {
        this.graph = graph;
        this.channels = channels;
        this.levels = levels;
        fromTop = levels.fromTop();
        load = new int[channels.count()];
        rank = new int[channels.count()];
        for (int channel = 0; channel < rank.length; channel++) {
            int from = channels.from(channel);
            for (int before = channels.first(from); before < channel; before++) {
                rank[channel] += channels.to(before) == channels.to(channel) ? 1 : 0;
            }
        }
        wanted = new int[levels.count()];
        next = new int[graph.size()];
        hops = new int[graph.size()];
        below = new boolean[graph.size()];
        towards = new boolean[graph.size()];
    }

    /**
     * Finds the ways to a destination.
     *
     * @param target its switch
     * @param loaded whether it is a host: others do not count as load
     */
    void route(int target, boolean loaded) {
        Arrays.fill(next, NONE);
        Arrays.fill(hops, NONE);
        Arrays.fill(below, false);
        Arrays.fill(towards, false);
        hops[target] = 0;
        below[target] = true;
        wayDown(target, loaded);
        otherWaysDown(target);
        for (int sw : fromTop) {
            if (!below[sw]) {
                up(sw, loaded);
            }
        }
    }

    /** Returns the channel by which a switch sends to the last destination, −1 if there is no way or none is needed. */
    int next(int sw) {
        return next[sw];
    }

    private boolean isUp(int channel) {
        return levels.of(channels.to(channel)) > levels.of(channels.from(channel));
    }

    private void wayDown(int target, boolean loaded) {
        int at = target;
        while (at != NONE) {
            towards[at] = true;
            int best = NONE;
            for (int channel = channels.first(at); channel < channels.first(at + 1); channel++) {
                int down = channels.reverse(channel);
                if (isUp(channel) && (best == NONE || load[down] < load[best])) {
                    best = down;
                }
            }
            if (best == NONE) {
                return;
            }
            int above = channels.from(best);
            wanted[levels.of(at)] = rank[channels.reverse(best)];
            load[best] += loaded ? 1 : 0;
            next[above] = best;
            hops[above] = hops[at] + 1;
            below[above] = true;
            at = above;
        }
    }

    /** All that the destination is below of send down, too: switches at the top that others came up to. */
    private void otherWaysDown(int target) {
        List<Integer> found = new ArrayList<>(List.of(target));
        boolean[] seen = new boolean[next.length];
        seen[target] = true;
        for (int head = 0; head < found.size(); head++) {
            int at = found.get(head);
            for (int channel = channels.first(at); channel < channels.first(at + 1); channel++) {
                int above = channels.to(channel);
                int down = channels.reverse(channel);
                if (isUp(channel)) {
                    if (!seen[above]) {
                        seen[above] = true;
                        found.add(above);
                    }
                    if (!towards[above] && (next[above] == NONE || load[down] < load[next[above]])) {
                        next[above] = down;
                        hops[above] = hops[at] + 1;
                        below[above] = true;
                    }
                }
            }
        }
    }

    /** Goes up the shortest way, of these to the top of the destination, of these by the least used cable. */
    private void up(int sw, boolean loaded) {
        int best = NONE;
        for (int channel = channels.first(sw); channel < channels.first(sw + 1); channel++) {
            int above = channels.to(channel);
            if (isUp(channel) && hops[above] != NONE && (best == NONE || isBetter(channel, best))) {
                best = channel;
            }
        }
        if (best != NONE) {
            next[sw] = best;
            hops[sw] = hops[channels.to(best)] + 1;
            towards[sw] = towards[channels.to(best)];
            load[best] += loaded && graph.hosts(sw) > 0 ? 1 : 0;
        }
    }

    private boolean isBetter(int one, int other) {
        int a = channels.to(one);
        int b = channels.to(other);
        if (hops[a] != hops[b]) {
            return hops[a] < hops[b];
        }
        if (towards[a] != towards[b]) {
            return towards[a];
        }
        // Of parallel cables the same up as down: which one follows from the destination.
        boolean same = rank[one] == wanted[levels.of(channels.from(one))];
        boolean otherSame = rank[other] == wanted[levels.of(channels.from(other))];
        return same != otherSame ? same : load[one] < load[other];
    }
}
