package org.railyard.socklnd.peer;

import org.jspecify.annotations.Nullable;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * Decides which connection to a peer is to be opened next, and when (spec 02 §4, §5). Pure bookkeeping: it is told what
 * happened and what time it is, ns. Not thread-safe.
 */
final class ConnectPlan {
    /** So many refusals in a row, and what is there has to do. */
    static final int REFUSALS_ENOUGH = 3;

    /** So many attempts at once after a restart or another version; then it counts as a failure. */
    static final int QUICK_RETRIES = 4;

    private final int connsPerPeer;
    private final long minNanos;
    private final long maxNanos;

    private boolean dialled;
    private boolean connecting;
    private int accepting;
    private boolean delayed;
    private boolean refusedLast;
    private long retryAt;
    private long interval;
    private int refusals;
    private int quickRetries;
    private boolean content;

    /**
     * Makes a plan for a peer without connections.
     *
     * @param connsPerPeer bulk connections wanted per direction
     * @param minNanos first wait after a failure
     * @param maxNanos longest wait
     */
    ConnectPlan(int connsPerPeer, long minNanos, long maxNanos) {
        this.connsPerPeer = connsPerPeer;
        this.minNanos = minNanos;
        this.maxNanos = maxNanos;
        this.interval = minNanos;
    }

    /** Returns the next type that is missing, given how many there are of each, or null if nothing is. */
    @Nullable
    ConnectionType missing(int control, int bulkIn, int bulkOut) {
        if (control == 0) {
            return ConnectionType.CONTROL;
        }
        if (content && bulkIn > 0 && bulkOut > 0) {
            return null;
        }
        if (bulkIn <= bulkOut && bulkIn < connsPerPeer) {
            return ConnectionType.BULK_IN;
        }
        if (bulkOut < connsPerPeer) {
            return ConnectionType.BULK_OUT;
        }
        return bulkIn < connsPerPeer ? ConnectionType.BULK_IN : null;
    }

    /** Tells whether an attempt may begin now. */
    boolean mayDial(long now) {
        return !connecting && accepting == 0 && (!delayed || now - retryAt >= 0);
    }

    /** Tells whether the peer was ever dialled; only then missing types matter while there are others. */
    boolean isDialled() {
        return dialled;
    }

    /** Tells whether an attempt is under way. */
    boolean isConnecting() {
        return connecting;
    }

    /**
     * Tells whether a message may hope for a connection: one is being made, or will be tried again without having
     * failed.
     */
    boolean isHopeful() {
        return connecting || accepting > 0 || delayed && refusedLast;
    }

    /** An attempt begins. */
    void begin() {
        dialled = true;
        connecting = true;
    }

    /** The attempt made a connection. */
    void connected() {
        connecting = false;
        settle();
    }

    private void settle() {
        delayed = false;
        refusedLast = false;
        interval = minNanos;
        refusals = 0;
        quickRetries = 0;
    }

    /**
     * The attempt was answered "no, you have one already".
     *
     * @param eachTypeUp whether there is a connection of each type
     * @return false if that was once too often, and the attempt has failed
     */
    boolean refused(long now, boolean eachTypeUp) {
        refusals++;
        if (refusals >= REFUSALS_ENOUGH) {
            refusals = 0;
            if (!eachTypeUp) {
                return false;
            }
            content = true;
            connecting = false;
            return true;
        }
        connecting = false;
        delayed = true;
        refusedLast = true;
        retryAt = now + minNanos;
        return true;
    }

    /**
     * The attempt met a peer that restarted or speaks another version: it is to be made again at once.
     *
     * @return false if that was once too often, and the attempt has failed
     */
    boolean again() {
        if (++quickRetries > QUICK_RETRIES) {
            quickRetries = 0;
            return false;
        }
        connecting = false;
        delayed = false;
        return true;
    }

    /** The attempt failed: the next one has to wait, each time twice as long. */
    void failed(long now) {
        connecting = false;
        delayed = true;
        refusedLast = false;
        retryAt = now + interval;
        interval = Math.min(interval * 2, maxNanos);
    }

    /** What made attempts fail is over: the next one need not wait. */
    void forgetFailures() {
        if (!refusedLast) {
            delayed = false;
            interval = minNanos;
        }
    }

    /** The peer is being accepted; dialling waits for that. */
    void acceptBegins() {
        accepting++;
    }

    /**
     * The accepting ended; if it made a connection, there is no reason left to wait with the types that are missing.
     */
    void acceptEnds(boolean connected) {
        accepting--;
        if (connected) {
            settle();
        }
    }

    /** The last connection was lost. */
    void lost() {
        content = false;
        refusals = 0;
    }

    /** Tells whether nothing is under way and nothing need be remembered. */
    boolean isIdle(long now) {
        return !connecting && accepting == 0 && (!delayed || !refusedLast && now - retryAt >= maxNanos);
    }

    /** Returns when a delayed attempt is to be made again after a refusal, or null if there is none. */
    @Nullable
    Long retryTime() {
        return delayed && refusedLast && !connecting ? retryAt : null;
    }
}
