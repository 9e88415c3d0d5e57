package org.railyard.o2iblnd.connection;

/**
 * The credits of a connection: a message is only sent when the peer has a buffer for it (spec 20 §9). In version 1 of
 * the protocol NOOPs take a credit like other messages, and the last one is kept for them (spec 20 §7.1): otherwise two
 * sides could hold all of each other's credits with none left to return them.
 */
final class ConnectionCredits {
    private static final int MAX_NOOPS = 2;

    private final int queueDepth;
    private final int concurrentSends;
    private final int returnMark;
    private final boolean noopsTakeCredits;
    private int credits;
    private int outstanding;
    private int reserved;
    private int posted;
    private int noops;

    /**
     * Makes the counters of a new connection.
     *
     * @param queueDepth negotiated
     * @param concurrentSends most sends posted at a time
     * @param returnMark from how many on credits are returned by a NOOP, from 1
     * @param noopsTakeCredits whether the peer has no buffers beside for NOOPs, as in version 1
     */
    ConnectionCredits(int queueDepth, int concurrentSends, int returnMark, boolean noopsTakeCredits) {
        this.queueDepth = queueDepth;
        this.concurrentSends = concurrentSends;
        this.returnMark = returnMark;
        this.noopsTakeCredits = noopsTakeCredits;
        this.credits = queueDepth;
        this.reserved = queueDepth;
    }

    /** Returns what was negotiated. */
    int queueDepth() {
        return queueDepth;
    }

    /** Returns how many buffers were posted again, of which the peer does not know yet. */
    int outstanding() {
        return outstanding;
    }

    boolean mayPost() {
        return posted < concurrentSends;
    }

    /** Tells whether there is a credit for a message that takes one. */
    boolean hasCredit() {
        return credits > (noopsTakeCredits ? 1 : 0);
    }

    /** Tells whether a NOOP can be sent. */
    boolean hasCreditForNoop() {
        return !noopsTakeCredits || credits > 0;
    }

    /** Tells whether the buffer of a NOOP that came is one of those that the peer has credits for. */
    boolean noopsTakeCredits() {
        return noopsTakeCredits;
    }

    /** Reserves the buffer for the answer to a transaction; false if there is none. */
    boolean reserve() {
        if (reserved == 0) {
            return false;
        }
        reserved--;
        return true;
    }

    /** The answer to a transaction came. */
    void unreserve() {
        reserved++;
    }

    /** A buffer was posted again for whatever comes. */
    void bufferFreed() {
        outstanding++;
    }

    /** The peer returned credits; false if there are more than it can have. */
    boolean returned(int count) {
        if (credits + count > queueDepth) {
            return false;
        }
        credits += count;
        return true;
    }

    /** A message is posted; returns the credits that go back with it. */
    int post(boolean takesCredit, boolean isNoop) {
        int back = Math.min(255, outstanding);
        outstanding -= back;
        credits -= takesCredit || isNoop && noopsTakeCredits ? 1 : 0;
        posted++;
        noops += isNoop ? 1 : 0;
        return back;
    }

    /** A message that was posted is sent. */
    void sent(boolean wasNoop) {
        posted--;
        noops -= wasNoop ? 1 : 0;
    }

    /**
     * Tells whether a message that says nothing should be sent.
     *
     * @param due whether the peer has heard nothing for too long
     * @param answersQueued whether answers are to be sent anyway
     * @param othersQueued whether messages are to be sent that take a credit
     */
    boolean wantsNoop(boolean due, boolean answersQueued, boolean othersQueued) {
        return (outstanding >= returnMark || due)
                && noops < MAX_NOOPS
                && !answersQueued
                && (!othersQueued || !hasCredit());
    }

    /** Tells what is out of range; empty if nothing. */
    String flaw() {
        if (credits < 0 || credits > queueDepth) {
            return "credits " + credits;
        }
        if (outstanding < 0 || outstanding > queueDepth) {
            return "outstanding " + outstanding;
        }
        if (reserved < 0 || reserved > queueDepth) {
            return "reserved " + reserved;
        }
        return posted < 0 || posted > concurrentSends || noops < 0 ? "posted " + posted + ", NOOPs " + noops : "";
    }
}
