package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;

/** Which level of a fat tree each switch is on, from the bottom up; or why the fabric is none. */
final class TreeLevels {
    private static final int NONE = -1;

    private final CableGraph graph;
    private final int[] level;
    private final @Nullable String problem;

    /**
     * Finds levels.
     *
     * @param roots switches of the top level; if there are none, the bottom are the switches with hosts
     */
    TreeLevels(Fabric fabric, CableGraph graph, List<Integer> roots) {
        this.graph = graph;
        level = roots.isEmpty() ? fromHosts(graph) : fromRoots(graph, roots);
        problem = problem(fabric, roots.isEmpty());
    }

    private static int[] fromHosts(CableGraph graph) {
        return distances(
                graph,
                IntStream.range(0, graph.size())
                        .filter(sw -> graph.hosts(sw) > 0)
                        .boxed()
                        .toList());
    }

    private static int[] fromRoots(CableGraph graph, List<Integer> roots) {
        int[] down = distances(graph, roots);
        int lowest = Arrays.stream(down).max().orElse(0);
        return Arrays.stream(down).map(rank -> rank < 0 ? NONE : lowest - rank).toArray();
    }

    /** Hops from the nearest of some switches. */
    private static int[] distances(CableGraph graph, List<Integer> starts) {
        int[] hops = new int[graph.size()];
        Arrays.fill(hops, NONE);
        List<Integer> queue = new ArrayList<>(starts);
        starts.forEach(sw -> hops[sw] = 0);
        for (int head = 0; head < queue.size(); head++) {
            int at = queue.get(head);
            for (int i = 0; i < graph.degree(at); i++) {
                int next = graph.neighbour(at, i);
                if (hops[next] == NONE) {
                    hops[next] = hops[at] + 1;
                    queue.add(next);
                }
            }
        }
        return hops;
    }

    private @Nullable String problem(Fabric fabric, boolean byHosts) {
        int hosts = 0;
        for (int sw = 0; sw < level.length; sw++) {
            hosts += graph.hosts(sw);
            if (graph.isLive(sw) && level[sw] == NONE) {
                return "%s has no way to the %s of the tree: the fabric is in pieces, or nothing has hosts"
                        .formatted(fabric.description(sw), byHosts ? "leaf switches" : "roots");
            }
            for (int i = 0; i < graph.degree(sw); i++) {
                int other = graph.neighbour(sw, i);
                if (level[sw] == level[other]) {
                    return "a cable joins %s and %s, both on level %d of %d: in a fat tree cables go up or down%s"
                            .formatted(
                                    fabric.description(sw),
                                    fabric.description(other),
                                    level[sw] + 1,
                                    count(),
                                    byHosts
                                            ? "; if hosts are on more levels than one, name the roots with --roots"
                                            : "");
                }
            }
        }
        return hosts == 0 ? "no switch has hosts: expected them on the leaf switches" : null;
    }

    /** Returns why this is no fat tree, or null if it is one. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Returns how many levels there are. */
    int count() {
        return Arrays.stream(level).max().orElse(NONE) + 1;
    }

    /** Returns the level of a switch, 0 = the bottom, −1 for one that is switched off. */
    int of(int sw) {
        return level[sw];
    }

    /** Returns all switches that are there, from the top down, in the order of their numbers on each level. */
    int[] fromTop() {
        return IntStream.range(0, level.length)
                .filter(sw -> level[sw] != NONE)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> -level[sw]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
