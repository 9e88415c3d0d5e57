package org.railyard.fabric.proof;

import java.util.Arrays;

/** The finished graph: channels numbered 0 … n − 1 in ascending order, successors in one array. */
final class AdjacencyList {
    private final int[] channels;
    private final int[] first;
    private final int[] successors;

    AdjacencyList(long[] sortedEdges) {
        int last = -1;
        for (long edge : sortedEdges) {
            last = Math.max(last, Math.max((int) (edge >>> 32), (int) edge));
        }
        // First 1 for each channel that there is, then its number.
        int[] numbers = new int[last + 1];
        for (long edge : sortedEdges) {
            numbers[(int) (edge >>> 32)] = 1;
            numbers[(int) edge] = 1;
        }
        channels = new int[Arrays.stream(numbers).sum()];
        int next = 0;
        for (int channel = 0; channel <= last; channel++) {
            if (numbers[channel] != 0) {
                numbers[channel] = next;
                channels[next++] = channel;
            }
        }
        first = new int[channels.length + 1];
        successors = new int[sortedEdges.length];
        for (int i = 0; i < sortedEdges.length; i++) {
            first[numbers[(int) (sortedEdges[i] >>> 32)] + 1]++;
            successors[i] = numbers[(int) sortedEdges[i]];
        }
        for (int i = 0; i < channels.length; i++) {
            first[i + 1] += first[i];
        }
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
