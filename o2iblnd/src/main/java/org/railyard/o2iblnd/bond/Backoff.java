package org.railyard.o2iblnd.bond;

/**
 * How long a route that can not be connected is left alone: 1 s, twice as long after each failure, at most 60 s (spec
 * 21 cb-064).
 */
public final class Backoff {
    /** First pause, ns. */
    public static final long FIRST_NANOS = 1_000_000_000L;

    /** Longest pause, ns. */
    public static final long LONGEST_NANOS = 60 * FIRST_NANOS;

    private long pause;
    private long notBefore = Long.MIN_VALUE;

    /** Tells whether an attempt may begin. */
    public boolean isOver(long nowNanos) {
        return pause == 0 || nowNanos >= notBefore;
    }

    /** An attempt failed. */
    public void failed(long nowNanos) {
        pause = Math.clamp(2 * pause, FIRST_NANOS, LONGEST_NANOS);
        notBefore = nowNanos + pause;
    }

    /** There is a reason to believe in the next attempt: it succeeded, or the port has come back. */
    public void reset() {
        pause = 0;
    }
}
