package org.railyard.fabric.proof;

import java.util.Arrays;

/**
 * Which channels wait for which, as a check has found them: what a change of these tables is planned with, see
 * {@link Transition}. Takes 8 bytes for each. Immutable.
 */
public final class Dependencies {
    /** By channel numbers, from in the high half, ascending. */
    private final long[] edges;

    private final CheckOptions options;

    /** Takes over the edges, without a copy. */
    Dependencies(long[] edges, CheckOptions options) {
        this.edges = edges;
        this.options = options;
    }

    /** Returns the edges, which must not be changed. */
    long[] edges() {
        return edges;
    }

    /** Returns what was checked. */
    CheckOptions options() {
        return options;
    }

    /** Returns how many there are. */
    public int count() {
        return edges.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dependencies same && Arrays.equals(edges, same.edges) && options.equals(same.options);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(edges);
    }
}
