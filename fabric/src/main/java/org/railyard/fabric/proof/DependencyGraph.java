package org.railyard.fabric.proof;

import java.util.Arrays;

/**
 * Edges between channels, each with the first flow that made it. A vertex is the number of a channel.
 *
 * <p>An open-addressed table of longs: millions of additions find an edge that is there already.
 */
final class DependencyGraph {
    /** Instead of the LID of a sender: one of many, see {@link FlowSearch}. */
    static final int SENDER_NOT_KEPT = 0;

    /** Edges that there is room for at first. */
    static final int FIRST_SIZE = 1 << 12;

    /** Most edges: the table then takes about 1 GiB. */
    private static final int MAX_EDGES = 1 << 25;

    private final int maxEdges;

    /** Edge + 1, from in the high half; 0 = free. */
    private long[] slots = new long[FIRST_SIZE];

    private char[] sources = new char[FIRST_SIZE];
    private char[] destinations = new char[FIRST_SIZE];
    private byte[] sls = new byte[FIRST_SIZE];
    private int edges;
    private long last;

    // Edges that whoever adds them knows to be new: they need no place in the table.
    private long[] fresh = new long[FIRST_SIZE];
    private char[] freshDestinations = new char[FIRST_SIZE];
    private byte[] freshSls = new byte[FIRST_SIZE];
    private int freshCount;

    DependencyGraph() {
        this(MAX_EDGES);
    }

    /**
     * Begins with none.
     *
     * @param maxEdges most edges of either kind, a power of two and {@link #FIRST_SIZE} at least
     */
    DependencyGraph(int maxEdges) {
        this.maxEdges = maxEdges;
    }

    /**
     * Adds an edge, if it is not there yet.
     *
     * @throws IllegalStateException if there are too many
     */
    void add(int from, int to, int sourceLid, int destinationLid, int sl) {
        long edge = ((long) from << 32 | to) + 1;
        // Neighbouring destinations often take the same way.
        if (edge == last) {
            return;
        }
        last = edge;
        int slot = find(edge);
        if (slots[slot] == 0) {
            slots[slot] = edge;
            sources[slot] = (char) sourceLid;
            destinations[slot] = (char) destinationLid;
            sls[slot] = (byte) sl;
            if (++edges > slots.length >> 1) {
                grow();
            }
        }
    }

    /** Adds an edge that was not added by this method before, made by one of many senders. */
    void addFresh(int from, int to, int destinationLid, int sl) {
        if (freshCount == fresh.length) {
            bound(freshCount);
            fresh = Arrays.copyOf(fresh, 2 * freshCount);
            freshDestinations = Arrays.copyOf(freshDestinations, 2 * freshCount);
            freshSls = Arrays.copyOf(freshSls, 2 * freshCount);
        }
        fresh[freshCount] = (long) from << 32 | to;
        freshDestinations[freshCount] = (char) destinationLid;
        freshSls[freshCount++] = (byte) sl;
    }

    private void bound(int count) {
        if (count >= maxEdges) {
            throw new IllegalStateException("more than " + maxEdges + " dependencies");
        }
    }

    private int find(long edge) {
        int mask = slots.length - 1;
        // Twice: channels ascend so evenly that one product leaves them side by side, in long rows.
        long hash = edge * 0x9E3779B97F4A7C15L;
        hash = (hash ^ hash >>> 32) * 0xBF58476D1CE4E5B9L;
        int slot = (int) (hash >>> 36) & mask;
        while (slots[slot] != 0 && slots[slot] != edge) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        bound(edges);
        long[] oldSlots = slots;
        char[] oldSources = sources;
        char[] oldDestinations = destinations;
        byte[] oldSls = sls;
        slots = new long[oldSlots.length * 2];
        sources = new char[slots.length];
        destinations = new char[slots.length];
        sls = new byte[slots.length];
        for (int i = 0; i < oldSlots.length; i++) {
            if (oldSlots[i] != 0) {
                int slot = find(oldSlots[i]);
                slots[slot] = oldSlots[i];
                sources[slot] = oldSources[i];
                destinations[slot] = oldDestinations[i];
                sls[slot] = oldSls[i];
            }
        }
    }

    /** Returns the flow that made an edge that is in the graph; its sender may be {@link #SENDER_NOT_KEPT}. */
    Flow witness(int from, int to) {
        long edge = (long) from << 32 | to;
        for (int i = 0; i < freshCount; i++) {
            if (fresh[i] == edge) {
                return new Flow(SENDER_NOT_KEPT, freshDestinations[i], freshSls[i]);
            }
        }
        int slot = find(edge + 1);
        return new Flow(sources[slot], destinations[slot], sls[slot]);
    }

    /** Returns the edges, from in the high half, ascending. */
    long[] sortedEdges() {
        long[] sorted = Arrays.copyOf(fresh, freshCount + edges);
        int next = freshCount;
        for (long slot : slots) {
            if (slot != 0) {
                sorted[next++] = slot - 1;
            }
        }
        Arrays.sort(sorted);
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return Arrays.copyOf(sorted, count);
    }
}
