package org.railyard.bench.lnet;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Waits for the end of a round as long as messages come. One that was lost with its connection does not come any more,
 * and nobody tells: a PUT without ACK is sent when the network has taken it. Used by the thread of the round.
 */
final class RoundProgress {
    /** So long after the last message the rest is taken for lost, ns. */
    static final long LIMIT_NANOS = 5_000_000_000L;

    /** Looks whether a round is over; may wait a little before it says no. */
    @FunctionalInterface
    interface Look {
        /** Tells whether the round is over. */
        boolean isOver() throws InterruptedException;
    }

    private final LongSupplier nanoTime;
    private final LongSupplier count;
    private final String what;

    /**
     * Makes one for a round.
     *
     * @param nanoTime the clock, ns
     * @param count how many have come so far; read from another thread than the one that counts
     * @param what is counted, in the plural
     */
    RoundProgress(LongSupplier nanoTime, LongSupplier count, String what) {
        this.nanoTime = nanoTime;
        this.count = count;
        this.what = what;
    }

    /**
     * Waits until a round is over.
     *
     * @throws IOException if nothing came for {@link #LIMIT_NANOS}
     * @throws InterruptedException if the round was called off
     */
    void awaitEnd(Look look) throws IOException, InterruptedException {
        long seen = count.getAsLong();
        long since = nanoTime.getAsLong();
        while (!look.isOver()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the round was called off");
            }
            long now = nanoTime.getAsLong();
            long present = count.getAsLong();
            if (present != seen) {
                seen = present;
                since = now;
            } else if (now - since >= LIMIT_NANOS) {
                throw new IOException("none of the " + what + " that are missing came for "
                        + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s, " + present
                        + " did before; they were lost, as a rule with their connection: the log of the nodes says"
                        + " why it ended (-v)");
            }
        }
    }
}
