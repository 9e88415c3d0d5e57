package org.railyard.sm.sa;

import java.util.BitSet;
import org.railyard.fabric.model.Lids;

/** Multicast LIDs that are in use: as many as the switch with the smallest table has room for. */
final class MulticastIds {
    /** None is free. */
    static final int NONE = 0;

    private static final int ALL = Lids.MAX_MULTICAST - Lids.MIN_MULTICAST + 1;

    private final BitSet used = new BitSet();

    /** Takes a LID, if it is free and the switches can have it; else the lowest free one. */
    int take(int asked, int capacity) {
        int limit = Math.min(capacity, ALL);
        int wanted = asked - Lids.MIN_MULTICAST;
        int index = wanted >= 0 && wanted < limit && !used.get(wanted) ? wanted : used.nextClearBit(0);
        if (index >= limit) {
            return NONE;
        }
        used.set(index);
        return Lids.MIN_MULTICAST + index;
    }

    /** Returns how many are free. */
    int left(int capacity) {
        return Math.max(0, Math.min(capacity, ALL) - used.cardinality());
    }

    void free(int mlid) {
        used.clear(mlid - Lids.MIN_MULTICAST);
    }
}
