package org.railyard.roce.card;

/**
 * How long a sender waits for answers. Packets are sent again soon, then after twice that time, and so on: that costs
 * little and heals the loss of the last ones. It counts as a try only when the time of the connection is over (spec 23
 * §5.2), so that a peer that is silent for a while is not given up.
 */
final class RetryTimer {
    /** So seldom packets are sent again at most, ns. */
    private static final long MAX_PROBE_NANOS = 500_000_000L;

    private final long firstProbe;
    private long tryNanos;
    private int limit;
    private int tries;
    private long nextProbe;
    private long probe;
    private long nextTry;

    RetryTimer(long firstProbe) {
        this.firstProbe = firstProbe;
    }

    /**
     * Begins.
     *
     * @param nanos time of a try, ns
     * @param mostTries how often to try again
     */
    void begin(long nanos, int mostTries) {
        tryNanos = nanos;
        limit = mostTries;
    }

    /** Something was acknowledged, or the first packet is on its way. */
    void progress(long now) {
        tries = 0;
        probe = Math.min(firstProbe, tryNanos);
        nextProbe = now + probe;
        nextTry = now + tryNanos;
    }

    /** Returns when to send again. */
    long next() {
        return nextTry - nextProbe < 0 ? nextTry : nextProbe;
    }

    /** Counts a try; tells whether there were too many. */
    boolean countTry() {
        return ++tries > limit;
    }

    /** The time for sending again has come; tells whether it has come too often. */
    boolean isOver(long now) {
        boolean over = false;
        if (nextTry - now <= 0) {
            over = countTry();
            nextTry = now + tryNanos;
            probe = Math.min(firstProbe, tryNanos);
        } else {
            probe = Math.min(MAX_PROBE_NANOS, probe * 2);
        }
        nextProbe = now + probe;
        return over;
    }
}
