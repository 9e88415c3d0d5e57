package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Ways on one VL. Each destination gets a tree of shortest ways, level by level from the destination on: a switch takes
 * the least loaded cable to the level below whose dependency on what follows closes no cycle. A switch that no level
 * takes lets a neighbour take another cable; if that does not help either, the whole destination is reached along the
 * spanning tree, whose dependencies are in use from the beginning.
 */
final class NueLayer {
    private static final int NONE = -1;

    private final CableGraph graph;
    private final Channels channels;
    private final SpanningTree escape;
    private final DependencyOrder dependencies;
    /** Ways of hosts that go by each channel, on all VLs. */
    private final long[] load;

    private final int[] hosts;

    // Of the destination at hand, by switch: channel to the next switch, load of the way, turn at which it was reached.
    private final int[] next;
    private final long[] wayLoad;
    private final int[] reachedAt;
    private final int[] frontier;
    private final int[] candidates;
    private final int[] candidateAt;
    private final int[] refusedAt;
    private int turn;
    private int attempt;

    /**
     * Begins a VL.
     *
     * @param hosts CAs and routers of each switch
     * @param load ways by channel so far; grows
     */
    NueLayer(CableGraph graph, Channels channels, SpanningTree escape, int[] hosts, long[] load) {
        this.graph = graph;
        this.channels = channels;
        this.escape = escape;
        this.hosts = hosts;
        this.load = load;
        dependencies = TreeDependencies.of(graph, channels, escape);
        int size = graph.size();
        next = new int[size];
        wayLoad = new long[size];
        reachedAt = new int[size];
        frontier = new int[size];
        candidates = new int[size];
        candidateAt = new int[size];
        refusedAt = new int[channels.count()];
    }

    /**
     * Routes to a destination.
     *
     * @param target its switch
     * @param loaded whether its ways count as load: those of hosts
     * @return whether its ways were found among dependencies; if not, they are those of the tree
     */
    boolean route(int target, boolean loaded) {
        dependencies.keep();
        Arrays.fill(next, NONE);
        Arrays.fill(reachedAt, 0);
        Arrays.fill(candidateAt, 0);
        turn = 1;
        reachedAt[target] = turn;
        wayLoad[target] = 0;
        frontier[0] = target;
        int count = 1;
        while (count > 0) {
            count = level(count);
            if (count == 0) {
                count = detour(target);
            }
        }
        boolean found = IntStream.range(0, graph.size()).noneMatch(sw -> reachedAt[sw] == 0 && escape.reaches(sw));
        if (!found) {
            dependencies.undo(0);
            escape.towards(target, next);
            Arrays.setAll(next, sw -> channels.of(sw, next[sw]));
        }
        if (loaded) {
            count(target);
        }
        return found;
    }

    /** Returns the channel by which a switch sends to the last destination, −1 at the destination itself. */
    int next(int sw) {
        return next[sw];
    }

    /** Reaches what is next to the switches that were reached last; returns how many. */
    private int level(int count) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            int sw = frontier[i];
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int there = channels.to(out);
                if (reachedAt[there] == 0 && candidateAt[there] != turn) {
                    candidateAt[there] = turn;
                    candidates[found++] = there;
                }
            }
        }
        int reached = 0;
        for (int i = 0; i < found; i++) {
            int sw = candidates[i];
            int channel = choose(sw);
            if (channel != NONE) {
                take(sw, channel, turn + 1);
                frontier[reached++] = sw;
            }
        }
        turn++;
        return reached;
    }

    private void take(int sw, int channel, int when) {
        next[sw] = channel;
        wayLoad[sw] = wayLoad[channels.to(channel)] + load[channel];
        reachedAt[sw] = when;
    }

    /** Returns the least loaded channel to the last level that may be used, or −1. */
    private int choose(int sw) {
        attempt++;
        while (true) {
            int best = NONE;
            long least = Long.MAX_VALUE;
            for (int channel = channels.first(sw); channel < channels.first(sw + 1); channel++) {
                int there = channels.to(channel);
                if (reachedAt[there] == turn
                        && refusedAt[channel] != attempt
                        && wayLoad[there] + load[channel] < least) {
                    best = channel;
                    least = wayLoad[there] + load[channel];
                }
            }
            if (best == NONE || follows(best, channels.to(best))) {
                return best;
            }
            refusedAt[best] = attempt;
        }
    }

    /** Adds what a channel depends on at the switch where it ends. */
    private boolean follows(int channel, int sw) {
        return next[sw] == NONE || dependencies.add(channel, next[sw]);
    }

    /** Lets a neighbour of a switch that is not reached go another way; returns how many are reached, 0 or 1. */
    private int detour(int target) {
        for (int sw = 0; sw < graph.size(); sw++) {
            if (reachedAt[sw] == 0) {
                for (int channel = channels.first(sw); channel < channels.first(sw + 1); channel++) {
                    int neighbour = channels.to(channel);
                    if (reachedAt[neighbour] != 0 && neighbour != target && turnsAside(neighbour, channel)) {
                        take(sw, channel, ++turn);
                        frontier[0] = sw;
                        return 1;
                    }
                }
            }
        }
        return 0;
    }

    /** Gives a switch another channel, if those that go by it and one channel more may go on so. */
    private boolean turnsAside(int sw, int from) {
        int mark = dependencies.mark();
        for (int other = channels.first(sw); other < channels.first(sw + 1); other++) {
            int there = channels.to(other);
            if (other != next[sw]
                    && reachedAt[there] != 0
                    && there != channels.from(from)
                    && !goesBy(there, sw)
                    && follows(other, there)
                    && dependencies.add(from, other)
                    && allFollow(sw, other)) {
                next[sw] = other;
                wayLoad[sw] = wayLoad[there] + load[other];
                return true;
            }
            dependencies.undo(mark);
        }
        return false;
    }

    private boolean allFollow(int sw, int other) {
        for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
            int in = channels.reverse(out);
            if (next[channels.from(in)] == in && !dependencies.add(in, other)) {
                return false;
            }
        }
        return true;
    }

    private boolean goesBy(int start, int sw) {
        int at = start;
        while (at != sw && next[at] != NONE) {
            at = channels.to(next[at]);
        }
        return at == sw;
    }

    /** Adds the ways of all hosts to the load of the channels that they go by. */
    private void count(int target) {
        int[] waiting = candidates;
        Arrays.fill(waiting, 0);
        long[] passing = wayLoad;
        for (int sw = 0; sw < next.length; sw++) {
            passing[sw] = hosts[sw];
            if (next[sw] != NONE) {
                waiting[channels.to(next[sw])]++;
            }
        }
        int tail = 0;
        for (int sw = 0; sw < next.length; sw++) {
            if (waiting[sw] == 0 && next[sw] != NONE) {
                frontier[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int channel = next[frontier[head]];
            int there = channels.to(channel);
            load[channel] += passing[frontier[head]];
            passing[there] += passing[frontier[head]];
            if (--waiting[there] == 0 && there != target) {
                frontier[tail++] = there;
            }
        }
    }
}
