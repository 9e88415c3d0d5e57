package org.railyard.lnet.lnd;

import java.util.stream.IntStream;

/**
 * The time limit of a transport whose NIs may each have one of their own: what {@link Lnd#timeoutSeconds} returns. From
 * any thread.
 */
public final class LongestLimit {
    private final int otherwise;
    /** Kept, as it is asked for with each message. */
    private volatile int seconds;

    /**
     * Makes the limit of a transport without NIs.
     *
     * @param otherwise the limit that counts without NIs, s; 0 for the stack's
     */
    public LongestLimit(int otherwise) {
        this.otherwise = otherwise;
        this.seconds = otherwise;
    }

    /**
     * NIs have come, gone or changed.
     *
     * @param limits of the NIs that there are, s; 0 for the stack's, which then counts for all
     */
    public synchronized void update(IntStream limits) {
        seconds = limits.reduce((one, other) -> one == 0 || other == 0 ? 0 : Math.max(one, other))
                .orElse(otherwise);
    }

    /** Returns the longest limit, s; 0 if one leaves it to the stack. */
    public int seconds() {
        return seconds;
    }
}
