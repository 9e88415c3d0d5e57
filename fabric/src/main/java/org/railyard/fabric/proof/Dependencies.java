package org.railyard.fabric.proof;

import java.util.Arrays;

/**
 * Which channels wait for which, as a check has found them: what a change of these tables is planned with, see
 * {@link Transition}, and tables are checked with that differ little from these, see {@link LostCables}. Takes 8 bytes
 * for each. Immutable.
 */
public final class Dependencies {
    /** By channel numbers, from in the high half, ascending. */
    private final long[] edges;

    private final CheckOptions options;
    private final boolean exact;

    /** Takes over the edges, without a copy. */
    Dependencies(long[] edges, CheckOptions options) {
        this(edges, options, true);
    }

    private Dependencies(long[] edges, CheckOptions options, boolean exact) {
        this.edges = edges;
        this.options = options;
        this.exact = exact;
    }

    /** Returns dependencies among which there are maybe some that the tables do not have. */
    static Dependencies atMost(long[] edges, CheckOptions options) {
        return new Dependencies(edges, options, false);
    }

    /** Returns what is in one of two arrays; all three ascend, and have nothing twice. */
    static long[] merged(long[] a, long[] b) {
        long[] merged = new long[a.length + b.length];
        int next = 0;
        for (int i = 0, j = 0; i < a.length || j < b.length; ) {
            long left = i < a.length ? a[i] : Long.MAX_VALUE;
            long right = j < b.length ? b[j] : Long.MAX_VALUE;
            merged[next++] = Math.min(left, right);
            i += left <= right ? 1 : 0;
            j += right <= left ? 1 : 0;
        }
        return Arrays.copyOf(merged, next);
    }

    /** Returns the edges, which must not be changed. */
    long[] edges() {
        return edges;
    }

    /** Returns what was checked. */
    CheckOptions options() {
        return options;
    }

    /** Returns whether each of them is one of the tables. */
    public boolean isExact() {
        return exact;
    }

    /** Returns how many there are. */
    public int count() {
        return edges.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dependencies same
                && Arrays.equals(edges, same.edges)
                && options.equals(same.options)
                && exact == same.exact;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(edges);
    }
}
