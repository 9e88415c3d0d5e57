package org.railyard.fabric.proof;

import org.railyard.fabric.model.Fabric;

/**
 * Which pairs of VL and SL have come from one cable of a switch to another one before: what they wait for is in the
 * graph then, and need not be looked up again. A set of 256 bits for each two cables between switches.
 */
final class PassedOn {
    /** Most words; with more nothing is remembered, which costs time only. */
    private static final long MAX_WORDS = 1L << 23;

    private static final int WORDS = 4;
    private static final int NOT_KEPT = -1;

    /** By port index: where the sets of what came by this port begin, in units of {@link #WORDS}. */
    private final int[] base;
    /** By port index: which of the cables of its switch is in it. */
    private final int[] rank;

    private final long[] seen;

    PassedOn(Fabric fabric, int[] farPort) {
        base = new int[fabric.portCount()];
        rank = new int[fabric.portCount()];
        long sets = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int first = fabric.portIndex(sw, 0);
            int cables = 0;
            for (int port = first; port <= first + fabric.ports(sw); port++) {
                rank[port] = farPort[port] == Fabric.NONE ? NOT_KEPT : cables++;
            }
            for (int port = first; port <= first + fabric.ports(sw); port++) {
                base[port] = rank[port] == NOT_KEPT ? NOT_KEPT : (int) Math.min(sets, Integer.MAX_VALUE);
                sets += rank[port] == NOT_KEPT ? 0 : cables;
            }
        }
        seen = new long[sets * WORDS > MAX_WORDS ? 0 : (int) sets * WORDS];
    }

    /**
     * Adds the set of pairs in four words.
     *
     * @param in port index of the switch by which they come
     * @param out port index by which they leave
     * @return whether all of them were known
     */
    boolean addAll(int in, int out, long[] pairs, int firstWord) {
        if (seen.length == 0 || base[in] == NOT_KEPT || rank[out] == NOT_KEPT) {
            return false;
        }
        int at = (base[in] + rank[out]) * WORDS;
        long added = 0;
        for (int word = 0; word < WORDS; word++) {
            added |= pairs[firstWord + word] & ~seen[at + word];
            seen[at + word] |= pairs[firstWord + word];
        }
        return added == 0;
    }
}
