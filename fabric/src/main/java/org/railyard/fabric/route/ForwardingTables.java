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

    /** Rows that are turned into columns together. */
    private static final int GROUP = 16;

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
     * Copies what a switch says of as many LIDs as the array has places, from {@code first} on; what is beyond the end
     * of its row has no path.
     */
    public void copyPorts(int switchIndex, int first, byte[] ports) {
        byte[] row = rows[switchIndex];
        int known = Math.clamp(row.length - first, 0, ports.length);
        System.arraycopy(row, known == 0 ? 0 : first, ports, 0, known);
        Arrays.fill(ports, known, ports.length, (byte) NO_PATH);
    }

    /**
     * Returns the first LID from {@code from} on at which a switch's tables differ, −1 if there is none. What is beyond
     * the end of a row has no path.
     */
    public int firstDifference(ForwardingTables other, int switchIndex, int from) {
        return firstDifference(other, switchIndex, from, Integer.MAX_VALUE);
    }

    /** The same, of the LIDs below {@code to}. */
    public int firstDifference(ForwardingTables other, int switchIndex, int from, int to) {
        byte[] row = rows[switchIndex];
        byte[] otherRow = other.rows[switchIndex];
        int both = Math.min(Math.min(row.length, otherRow.length), to);
        if (from < both) {
            // Where most are unlike, a search for each would take most of the time.
            if (row[from] != otherRow[from]) {
                return from;
            }
            int at = Arrays.mismatch(row, from, both, otherRow, from, both);
            if (at >= 0) {
                return from + at;
            }
        }
        byte[] longer = row.length > otherRow.length ? row : otherRow;
        int end = Math.min(longer.length, to);
        for (int lid = Math.max(from, both); lid < end; lid++) {
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
        for (int sw = 0; sw < rows.length; sw += GROUP) {
            int end = Math.min(rows.length, sw + GROUP);
            for (int i = 0; i < count; i++) {
                copy(lids[from + i], sw, end, columns[i]);
            }
        }
    }

    private void copy(int lid, int from, int to, byte[] column) {
        for (int sw = from; sw < to; sw++) {
            byte[] row = rows[sw];
            column[sw] = lid < row.length ? row[lid] : (byte) NO_PATH;
        }
    }

    /**
     * Adds up what all switches say of some LIDs, each output port times a factor of its switch: one pass over all
     * tables as they lie in memory.
     *
     * @param lids LIDs
     * @param factors by switch
     * @return by place, the sum, modulo 2<sup>64</sup>
     */
    public long[] sums(int[] lids, long[] factors) {
        long[] sums = new long[lids.length];
        for (int sw = 0; sw < rows.length; sw++) {
            addTo(sums, lids, rows[sw], factors[sw]);
        }
        return sums;
    }

    private static void addTo(long[] sums, int[] lids, byte[] row, long factor) {
        for (int i = 0; i < sums.length; i++) {
            int lid = lids[i];
            sums[i] += factor * (lid < row.length ? row[lid] & 0xFF : NO_PATH);
        }
    }

    /**
     * Finds LIDs that switches treat unlike another: one pass over all tables as they lie in memory, quick where LIDs
     * ascend and many are as far from the one that they are compared with.
     *
     * @param lids LIDs
     * @param others by place the LID that each is compared with; no pair is there twice
     * @param switches by place a switch that does not count, as that of both LIDs
     * @return by place, 0 if each switch that counts sends both LIDs by the same port
     */
    public byte[] unlike(int[] lids, int[] others, int[] switches) {
        LidPairs pairs = new LidPairs(lids, others);
        int[] firstOf = new int[rows.length + 1];
        for (int sw : switches) {
            firstOf[sw + 1]++;
        }
        for (int sw = 0; sw < rows.length; sw++) {
            firstOf[sw + 1] += firstOf[sw];
        }
        int[] ofSwitch = new int[lids.length];
        int[] filled = firstOf.clone();
        for (int i = 0; i < lids.length; i++) {
            ofSwitch[filled[switches[i]]++] = pairs.position(i);
        }
        byte[] unlike = new byte[pairs.width()];
        for (int sw = 0; sw < rows.length; sw++) {
            byte[] kept = new byte[firstOf[sw + 1] - firstOf[sw]];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = unlike[ofSwitch[firstOf[sw] + i]];
            }
            pairs.addUnlike(upTo(pairs.lastLid(), rows[sw]), unlike);
            for (int i = 0; i < kept.length; i++) {
                unlike[ofSwitch[firstOf[sw] + i]] = kept[i];
            }
        }
        byte[] byPlace = new byte[lids.length];
        for (int i = 0; i < byPlace.length; i++) {
            byPlace[i] = unlike[pairs.position(i)];
        }
        return byPlace;
    }

    /** Returns a row that has an entry for a LID. */
    private static byte[] upTo(int lid, byte[] row) {
        if (lid < row.length) {
            return row;
        }
        byte[] longer = Arrays.copyOf(row, lid + 1);
        Arrays.fill(longer, row.length, longer.length, (byte) NO_PATH);
        return longer;
    }
}
