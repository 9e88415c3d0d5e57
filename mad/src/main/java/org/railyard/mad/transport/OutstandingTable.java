package org.railyard.mad.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is outstanding, by transaction. A table with linear probing, at most a quarter full: transactions are given in
 * order, so that nearly each stands where it belongs.
 *
 * @param <T> what is outstanding
 */
final class OutstandingTable<T> {
    private static final int ROOM_FOR_EACH = 4;

    private final int[] tids;
    private final @Nullable T[] values;
    private int size;

    /** How many stand elsewhere than they belong. While there is none, nothing has to move. */
    private int displaced;

    /**
     * Makes an empty table.
     *
     * @param most how many there are at most, 1 or more
     */
    @SuppressWarnings("unchecked") // The array holds what put stores in it.
    OutstandingTable(int most) {
        int slots = Integer.highestOneBit(most) * 2 * ROOM_FOR_EACH;
        tids = new int[slots];
        values = (T[]) new Object[slots];
    }

    int size() {
        return size;
    }

    boolean has(int tid) {
        return values[slot(tid)] != null;
    }

    @Nullable
    T get(int tid) {
        return values[slot(tid)];
    }

    /**
     * Adds one, or replaces it.
     *
     * @throws IllegalStateException if there are far more than there should be
     */
    void put(int tid, T value) {
        if (size * 2 > tids.length) {
            throw new IllegalStateException(size + " transactions in a table of " + tids.length);
        }
        int at = slot(tid);
        if (values[at] == null) {
            size++;
            displaced += at == home(tid) ? 0 : 1;
        }
        tids[at] = tid;
        values[at] = value;
    }

    /** Removes one; returns it, null if it is not there. */
    @Nullable
    T remove(int tid) {
        int at = slot(tid);
        T removed = values[at];
        if (removed != null) {
            values[at] = null;
            size--;
            displaced -= at == home(tid) ? 0 : 1;
            if (displaced > 0) {
                closeUp(at);
            }
        }
        return removed;
    }

    /** Removes all; returns them, by the places that they had. */
    List<T> removeAll() {
        List<T> all = new ArrayList<>(size);
        for (int at = 0; at < values.length; at++) {
            T value = values[at];
            if (value != null) {
                all.add(value);
                values[at] = null;
            }
        }
        size = 0;
        displaced = 0;
        return all;
    }

    private int home(int tid) {
        return tid & tids.length - 1;
    }

    /** Returns where a transaction is, or the empty place where it belongs. */
    private int slot(int tid) {
        int at = home(tid);
        while (values[at] != null && tids[at] != tid) {
            at = at + 1 & tids.length - 1;
        }
        return at;
    }

    /** Moves what stands behind a place that was emptied forward, so that no search ends too early. */
    private void closeUp(int emptied) {
        int hole = emptied;
        for (int at = hole + 1 & tids.length - 1; values[at] != null; at = at + 1 & tids.length - 1) {
            int fromHome = at - tids[at] & tids.length - 1;
            int fromHole = at - hole & tids.length - 1;
            if (fromHome >= fromHole) {
                displaced -= hole == home(tids[at]) ? 1 : 0;
                tids[hole] = tids[at];
                values[hole] = values[at];
                values[at] = null;
                hole = at;
            }
        }
    }
}
