package org.railyard.fabric.proof;

/** Finds a shortest cycle of a strongly connected component by breadth-first search from its vertices. */
final class ShortestCycle {
    /** Most edges searched per component; after that the shortest cycle so far is taken. */
    private static final long MAX_WORK = 50_000_000;

    private final AdjacencyList graph;
    private final Components components;
    private final int[] parent;
    private final int[] distance;
    private final int[] queue;
    private final long maxWork;
    private long work;

    ShortestCycle(AdjacencyList graph, Components components) {
        this(graph, components, MAX_WORK);
    }

    /**
     * Makes a search.
     *
     * @param maxWork edges of a component after which no other vertex is searched from
     */
    ShortestCycle(AdjacencyList graph, Components components, long maxWork) {
        this.graph = graph;
        this.components = components;
        this.maxWork = maxWork;
        parent = new int[graph.size()];
        distance = new int[graph.size()];
        queue = new int[graph.size()];
    }

    /** Returns the numbers of the vertices of the cycle, in order, the smallest first. */
    int[] find(int[] component) {
        work = 0;
        int[] shortest = {};
        // Of equally short ones the first stays: the one from its smallest vertex.
        for (int start : component) {
            int[] cycle = from(start, shortest.length == 0 ? Integer.MAX_VALUE : shortest.length, component);
            if (cycle.length > 0) {
                shortest = cycle;
            }
            if (work >= maxWork) {
                break;
            }
        }
        return shortest;
    }

    /** Returns a cycle through this vertex that is shorter than the limit, or nothing. */
    private int[] from(int start, int limit, int[] component) {
        for (int vertex : component) {
            distance[vertex] = -1;
        }
        int head = 0;
        int tail = 0;
        queue[tail++] = start;
        distance[start] = 0;
        // Each vertex of the component is on a cycle: the queue does not get empty before that is found.
        while (distance[queue[head]] + 1 < limit) {
            int at = queue[head++];
            for (int edge = graph.firstEdge(at); edge < graph.edgeEnd(at); edge++) {
                int to = graph.successor(edge);
                work++;
                if (to == start) {
                    return path(at);
                }
                if (components.of(to) == components.of(start) && distance[to] < 0) {
                    distance[to] = distance[at] + 1;
                    parent[to] = at;
                    queue[tail++] = to;
                }
            }
        }
        return new int[0];
    }

    private int[] path(int end) {
        int[] path = new int[distance[end] + 1];
        int at = end;
        for (int i = path.length - 1; i >= 0; i--) {
            path[i] = at;
            at = parent[at];
        }
        return path;
    }
}
