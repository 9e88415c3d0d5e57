package org.railyard.fabric.proof;

import java.util.Arrays;

/** The finished graph: channels numbered 0 … n − 1 in ascending order, successors in one array. */
final class AdjacencyList {
    private final int[] channels;
    private final int[] first;
    private final int[] successors;

    AdjacencyList(long[] sortedEdges) {
        int[] ends = new int[2 * sortedEdges.length];
        int next = 0;
        for (long edge : sortedEdges) {
            ends[next++] = (int) (edge >>> 32);
            ends[next++] = (int) edge;
        }
        channels = Arrays.stream(ends).sorted().distinct().toArray();
        first = new int[channels.length + 1];
        successors = new int[sortedEdges.length];
        for (int i = 0; i < sortedEdges.length; i++) {
            first[number((int) (sortedEdges[i] >>> 32)) + 1]++;
            successors[i] = number((int) sortedEdges[i]);
        }
        for (int i = 0; i < channels.length; i++) {
            first[i + 1] += first[i];
        }
    }

    private int number(int channel) {
        return Arrays.binarySearch(channels, channel);
    }

    int size() {
        return channels.length;
    }

    /** The vertex of the dependency graph that has this number. */
    int channel(int number) {
        return channels[number];
    }

    int firstEdge(int number) {
        return first[number];
    }

    int edgeEnd(int number) {
        return first[number + 1];
    }

    int successor(int edge) {
        return successors[edge];
    }
}
