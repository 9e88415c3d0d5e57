package org.railyard.fabric.engine;

import org.railyard.fabric.model.Fabric;

/**
 * The directed cables between switches, numbered by the switch that sends, and the pairs of them that can follow each
 * other: vertices and edges of the complete channel dependency graph of one VL.
 */
final class Channels {
    private final int[] first;
    private final int[] from;
    private final int[] to;
    private final int[] port;
    private final int[] reverse;
    /** Number of the first pair of each channel; one entry more than channels. */
    private final int[] firstPair;

    /**
     * Numbers them.
     *
     * @throws IllegalArgumentException if there are more pairs than {@link #pairs(CableGraph)} may say
     */
    Channels(Fabric fabric, CableGraph graph) {
        int switches = graph.size();
        first = new int[switches + 1];
        for (int sw = 0; sw < switches; sw++) {
            first[sw + 1] = first[sw] + graph.degree(sw);
        }
        int count = first[switches];
        from = new int[count];
        to = new int[count];
        port = new int[count];
        reverse = new int[count];
        firstPair = new int[count + 1];
        int[] byPort = new int[fabric.portCount()];
        for (int sw = 0; sw < switches; sw++) {
            for (int i = 0; i < graph.degree(sw); i++) {
                int channel = first[sw] + i;
                from[channel] = sw;
                to[channel] = graph.neighbour(sw, i);
                port[channel] = graph.port(sw, i);
                byPort[fabric.portIndex(sw, port[channel])] = channel;
            }
        }
        for (int channel = 0; channel < count; channel++) {
            reverse[channel] = byPort[fabric.peer(fabric.portIndex(from[channel], port[channel]))];
            firstPair[channel + 1] = Math.addExact(firstPair[channel], graph.degree(to[channel]));
        }
    }

    /** Returns how many pairs of channels meet at the switches of a fabric. */
    static long pairs(CableGraph graph) {
        long pairs = 0;
        for (int sw = 0; sw < graph.size(); sw++) {
            pairs += (long) graph.degree(sw) * graph.degree(sw);
        }
        return pairs;
    }

    int count() {
        return from.length;
    }

    int pairs() {
        return firstPair[from.length];
    }

    /** First channel that leaves a switch; the last is before that of the next switch. */
    int first(int sw) {
        return first[sw];
    }

    int from(int channel) {
        return from[channel];
    }

    int to(int channel) {
        return to[channel];
    }

    /** Channel that leaves a switch by a port, −1 for port 0. */
    int of(int sw, int portNumber) {
        int channel = first[sw];
        while (channel < first[sw + 1] && port[channel] != portNumber) {
            channel++;
        }
        return channel < first[sw + 1] ? channel : -1;
    }

    int port(int channel) {
        return port[channel];
    }

    /** The other direction of the same cable. */
    int reverse(int channel) {
        return reverse[channel];
    }

    /** Number of the pair of a channel and one that leaves where it ends. */
    int pair(int channel, int following) {
        return firstPair[channel] + following - first[to[channel]];
    }
}
