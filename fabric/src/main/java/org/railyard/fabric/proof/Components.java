package org.railyard.fabric.proof;

import java.util.Arrays;

/**
 * Strongly connected components by Tarjan's algorithm (1972), with a stack of its own: recursion as deep as there are
 * channels would kill a thread.
 *
 * <p>Components are numbered in the order they are finished, so that every edge leads to a component of the same or a
 * smaller number.
 */
final class Components {
    private final AdjacencyList graph;
    private final int[] component;
    private final int[] index;
    private final int[] low;
    private final int[] nextEdge;
    private final int[] callStack;
    private final int[] open;
    private int openCount;
    private int visited;
    private int count;

    Components(AdjacencyList graph) {
        this.graph = graph;
        int size = graph.size();
        component = new int[size];
        Arrays.fill(component, -1);
        index = new int[size];
        low = new int[size];
        nextEdge = new int[size];
        callStack = new int[size];
        open = new int[size];
        for (int root = 0; root < size; root++) {
            if (index[root] == 0) {
                search(root);
            }
        }
    }

    private void search(int root) {
        int depth = 0;
        enter(root);
        callStack[0] = root;
        while (depth >= 0) {
            int at = callStack[depth];
            if (nextEdge[at] < graph.edgeEnd(at)) {
                int to = graph.successor(nextEdge[at]++);
                if (index[to] == 0) {
                    enter(to);
                    callStack[++depth] = to;
                } else if (component[to] < 0) {
                    low[at] = Math.min(low[at], index[to]);
                }
            } else {
                if (low[at] == index[at]) {
                    close(at);
                }
                depth--;
                if (depth >= 0) {
                    low[callStack[depth]] = Math.min(low[callStack[depth]], low[at]);
                }
            }
        }
    }

    private void enter(int vertex) {
        index[vertex] = ++visited;
        low[vertex] = visited;
        nextEdge[vertex] = graph.firstEdge(vertex);
        open[openCount++] = vertex;
    }

    private void close(int root) {
        int vertex;
        do {
            vertex = open[--openCount];
            component[vertex] = count;
        } while (vertex != root);
        count++;
    }

    int count() {
        return count;
    }

    int of(int vertex) {
        return component[vertex];
    }

    /** Returns the vertices of each component that has a cycle, ascending by their smallest vertex. */
    int[][] cyclic() {
        int[] sizes = new int[count];
        boolean[] cyclic = new boolean[count];
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            cyclic[component[vertex]] |= ++sizes[component[vertex]] > 1 || hasEdgeToItself(vertex);
        }
        int[] place = new int[count];
        Arrays.fill(place, -1);
        int[][] found = new int[count][];
        int[] filled = new int[count];
        int next = 0;
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            int of = component[vertex];
            if (cyclic[of]) {
                if (place[of] < 0) {
                    place[of] = next;
                    found[next++] = new int[sizes[of]];
                }
                found[place[of]][filled[of]++] = vertex;
            }
        }
        return Arrays.copyOf(found, next);
    }

    private boolean hasEdgeToItself(int vertex) {
        for (int edge = graph.firstEdge(vertex); edge < graph.edgeEnd(vertex); edge++) {
            if (graph.successor(edge) == vertex) {
                return true;
            }
        }
        return false;
    }
}
