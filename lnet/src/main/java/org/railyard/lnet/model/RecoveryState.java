package org.railyard.lnet.model;

/**
 * How far the recovery of an NI or a peer NI is (spec 10 §13).
 *
 * <pre>
 * from       to         when
 * waiting    waiting    it begins: the first ping is planned
 * waiting    pinging    a ping is due, and is sent
 * pinging    waiting    the ping was answered, or failed
 * </pre>
 */
public final class RecoveryState {
    private int pingCount;
    private long nextPing;
    private boolean pinging;
    private boolean wanted;

    /** Makes the state of what never failed. */
    public RecoveryState() {}

    /**
     * It begins.
     *
     * @param firstPing when a ping is due, in seconds of the node's monotonic clock
     */
    public void begin(long firstPing) {
        pingCount = 0;
        nextPing = firstPing;
    }

    /** Tells whether a ping is due now, and none is under way. */
    public boolean isDue(long second) {
        return !pinging && nextPing - second <= 0;
    }

    /**
     * A ping is sent.
     *
     * @throws IllegalStateException if one is under way
     */
    public void ping() {
        if (pinging) {
            throw new IllegalStateException("a recovery ping is under way; there is no second one beside it");
        }
        pinging = true;
        pingCount++;
    }

    /** Plans the next ping, in seconds of the node's monotonic clock. */
    public void plan(long second) {
        nextPing = second;
    }

    /** The ping that is under way, if any, has ended. */
    public void pinged() {
        pinging = false;
    }

    /** Something was received from it: the pings are counted anew. */
    public void heard() {
        pingCount = 0;
    }

    /** Says whether an administrator wants it to be pinged, heard or not. */
    public void want(boolean ping) {
        wanted = ping;
    }

    /** Tells whether an administrator wants it to be pinged, heard or not. */
    public boolean isWanted() {
        return wanted;
    }

    /** Returns the recovery pings since anything was last received from it. */
    public int pingCount() {
        return pingCount;
    }

    /**
     * Returns when the next ping is due, in seconds of the node's monotonic clock; 0 for never. Keeps its last value
     * after the recovery.
     */
    public long nextPing() {
        return nextPing;
    }
}
