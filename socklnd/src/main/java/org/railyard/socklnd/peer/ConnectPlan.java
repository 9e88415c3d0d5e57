package org.railyard.socklnd.peer;

import org.jspecify.annotations.Nullable;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * Decides which connection to a peer is to be opened next, and when (spec 02 §4, §5). Pure bookkeeping: it is told what
 * happened and what time it is, ns. Not thread-safe.
 *
 * <pre>
 * State       may become  when
 * IDLE        QUEUED      an attempt is wanted
 * REFUSED     QUEUED      an attempt is wanted, after the shortest wait
 * FAILED      QUEUED      an attempt is wanted, after a wait that doubles each time
 * QUEUED      CONNECTING  its turn has come: the peer is called
 * QUEUED      IDLE        it is not needed any more
 * CONNECTING  IDLE        it made a connection; it is to be made again at once; refused once too often, with a
 *                         connection of each type
 * CONNECTING  REFUSED     the peer said "you have one already"
 * CONNECTING  FAILED      it failed, or was refused or begun again once too often
 * REFUSED     IDLE        the peer was accepted
 * FAILED      IDLE        the peer was accepted, or what made attempts fail is over
 * </pre>
 */
final class ConnectPlan {
    /** So many refusals in a row, and what is there has to do. */
    static final int REFUSALS_ENOUGH = 3;

    /** So many attempts at once after a restart or another version; then it counts as a failure. */
    static final int QUICK_RETRIES = 4;

    private final int connsPerPeer;
    private final long minNanos;
    private final long maxNanos;

    private enum State {
        /** No attempt is under way, and the next one need not wait. */
        IDLE,
        /** An attempt waits for its turn; the peer knows nothing of it. */
        QUEUED,
        CONNECTING,
        /** The next attempt waits for a short time, in which the peer may connect. */
        REFUSED,
        /** The next attempt waits. */
        FAILED;

        boolean mayBecome(State next) {
            return switch (this) {
                case IDLE -> next == QUEUED;
                case QUEUED -> next == CONNECTING || next == IDLE;
                case CONNECTING -> next == IDLE || next == REFUSED || next == FAILED;
                case REFUSED, FAILED -> next == QUEUED || next == IDLE;
            };
        }
    }

    private State state = State.IDLE;
    private boolean dialled;
    private int accepting;
    private long retryAt;
    private long interval;
    private int refusals;
    private int quickRetries;
    private boolean complete;

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

    /** The only place where the state changes. */
    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("dialling is " + state + ", which can not become " + next);
        }
        state = next;
    }

    private boolean isDelayed() {
        return state == State.REFUSED || state == State.FAILED;
    }

    /** Returns the next type that is missing, given how many there are of each, or null if nothing is. */
    @Nullable
    ConnectionType missing(int control, int bulkIn, int bulkOut) {
        if (control == 0) {
            return ConnectionType.CONTROL;
        }
        if (complete && bulkIn > 0 && bulkOut > 0) {
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

    /** Returns how many bulk connections are wanted per direction. */
    int connsPerPeer() {
        return connsPerPeer;
    }

    /** Tells whether an attempt may begin now. */
    boolean mayDial(long now) {
        return !isWanted() && accepting == 0 && (!isDelayed() || now - retryAt >= 0);
    }

    /** Tells whether the peer was ever dialled; only then missing types matter while there are others. */
    boolean isDialled() {
        return dialled;
    }

    /** Tells whether the peer is being called. */
    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    /** Tells whether an attempt waits for its turn. */
    boolean isQueued() {
        return state == State.QUEUED;
    }

    private boolean isWanted() {
        return isQueued() || isConnecting();
    }

    /** Tells whether the peer is being accepted. */
    boolean isAccepting() {
        return accepting > 0;
    }

    /**
     * Tells whether a connection is to be expected: one is being made, or will be tried again without having failed.
     *
     * @param mayTry whether anything can be tried now
     */
    boolean isExpecting(boolean mayTry) {
        return isWanted() || isAccepting() || mayTry && state == State.REFUSED;
    }

    /** An attempt is to be made when its turn comes. */
    void queue() {
        become(State.QUEUED);
        dialled = true;
    }

    /** The peer is called. */
    void begin() {
        become(State.CONNECTING);
    }

    /** The attempt is not needed any more, and was not begun. */
    void withdraw() {
        become(State.IDLE);
    }

    /** The attempt made a connection. */
    void connected() {
        become(State.IDLE);
        settle();
    }

    private void settle() {
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
            complete = true;
            become(State.IDLE);
            return true;
        }
        become(State.REFUSED);
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
        become(State.IDLE);
        return true;
    }

    /** The attempt failed: the next one has to wait, each time twice as long. */
    void failed(long now) {
        become(State.FAILED);
        retryAt = now + interval;
        interval = Math.min(interval * 2, maxNanos);
        refusals = 0;
    }

    /** What made attempts fail is over: the next one need not wait. */
    void forgetFailures() {
        if (state == State.FAILED) {
            become(State.IDLE);
        }
        interval = minNanos;
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
            if (isDelayed()) {
                become(State.IDLE);
            }
            settle();
        }
    }

    /** The last connection was lost. */
    void lost() {
        complete = false;
        refusals = 0;
    }

    /** Tells whether nothing is under way and nothing need be remembered. */
    boolean isIdle(long now) {
        return accepting == 0 && (state == State.IDLE || state == State.FAILED && now - retryAt >= maxNanos);
    }

    /** Tells whether the last attempt failed and none was made since. */
    boolean hasFailed() {
        return state == State.FAILED;
    }

    /** Returns how long the next attempt has to wait, ns; 0 if it may begin. */
    long waitNanos(long now) {
        return isDelayed() ? Math.max(0, retryAt - now) : 0;
    }

    /** Returns when a delayed attempt is to be made again after a refusal, or null if there is none. */
    @Nullable
    Long retryTime() {
        return state == State.REFUSED ? retryAt : null;
    }
}
