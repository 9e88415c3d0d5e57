package org.railyard.fabric.route;

import java.util.Arrays;

/**
 * Linear forwarding tables: the output port of each switch for each unicast LID.
 *
 * <p>Immutable once handed out: whoever fills the rows must not touch them afterwards. One byte per switch and LID:
 * 4,096 switches with 49,151 LIDs take 192 MiB.
 */
public final class ForwardingTables {
    /** No path. */
    public static final int NO_PATH = 0xFF;

    private final byte[][] rows;

    /**
     * Takes over the rows, without a copy.
     *
     * @param rows by switch index, then LID from 0 on; {@link #NO_PATH} where there is no route; LIDs beyond a row's
     *     end have none
     */
    public ForwardingTables(byte[][] rows) {
        this.rows = rows.clone();
    }

    /** Returns how many switches there are. */
    public int switches() {
        return rows.length;
    }

    /** Returns the last LID that a row has an entry for, be it {@link #NO_PATH}; -1 without rows. */
    public int lastLid() {
        int last = -1;
        for (byte[] row : rows) {
            last = Math.max(last, row.length - 1);
        }
        return last;
    }

    /** Returns the output port, 0 = the switch itself, {@link #NO_PATH} = none. */
    public int port(int switchIndex, int lid) {
        byte[] row = rows[switchIndex];
        return lid < row.length ? row[lid] & 0xFF : NO_PATH;
    }

    /**
     * Returns the first LID from {@code from} on at which a switch's tables differ, −1 if there is none. What is beyond
     * the end of a row has no path.
     */
    public int firstDifference(ForwardingTables other, int switchIndex, int from) {
        byte[] row = rows[switchIndex];
        byte[] otherRow = other.rows[switchIndex];
        int both = Math.min(row.length, otherRow.length);
        if (from < both) {
            int at = Arrays.mismatch(row, from, both, otherRow, from, both);
            if (at >= 0) {
                return from + at;
            }
        }
        byte[] longer = row.length > both ? row : otherRow;
        for (int lid = Math.max(from, both); lid < longer.length; lid++) {
            if (longer[lid] != (byte) NO_PATH) {
                return lid;
            }
        }
        return -1;
    }

    /**
     * Copies what all switches say of some LIDs, row by row, as the tables lie in memory: much faster than asking for
     * one LID at a time.
     *
     * @param lids the LIDs are {@code lids[from]} to {@code lids[from + columns.length - 1]}
     * @param columns one array for each LID, by switch; entries beyond the end of {@code lids} stay as they are
     */
    public void copyColumns(int[] lids, int from, byte[][] columns) {
        int count = Math.min(columns.length, lids.length - from);
        for (int sw = 0; sw < rows.length; sw++) {
            byte[] row = rows[sw];
            for (int i = 0; i < count; i++) {
                int lid = lids[from + i];
                columns[i][sw] = lid < row.length ? row[lid] : (byte) NO_PATH;
            }
        }
    }

    /**
     * Finds LIDs that switches treat unlike another: one pass over all tables as they lie in memory.
     *
     * @param lids LIDs, those of each switch one behind the other
     * @param switches by place in {@code lids} the switch of the LID: what it says itself does not count
     * @return by place, 0 if each switch that counts sends the LID by the same port as the one before
     */
    public byte[] unlikeTheOneBefore(int[] lids, int[] switches) {
        byte[] unlike = new byte[lids.length];
        int[] from = new int[rows.length];
        int[] to = new int[rows.length];
        for (int i = lids.length - 1; i >= 0; i--) {
            from[switches[i]] = i;
            to[switches[i]] = Math.max(to[switches[i]], i + 1);
        }
        for (int sw = 0; sw < rows.length; sw++) {
            byte[] kept = Arrays.copyOfRange(unlike, from[sw], to[sw]);
            addUnlike(rows[sw], lids, unlike);
            System.arraycopy(kept, 0, unlike, from[sw], kept.length);
        }
        return unlike;
    }

    private static void addUnlike(byte[] row, int[] lids, byte[] unlike) {
        int before = NO_PATH;
        for (int i = 0; i < lids.length; i++) {
            int port = lids[i] < row.length ? row[lids[i]] : (byte) NO_PATH;
            unlike[i] |= (byte) (port ^ before);
            before = port;
        }
    }
}
