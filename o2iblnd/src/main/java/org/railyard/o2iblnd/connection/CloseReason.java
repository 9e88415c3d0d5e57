package org.railyard.o2iblnd.connection;

import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.wire.KibType;

/**
 * Why a connection ends, and what that says of its transmits (spec 20 §15). What may have been processed is never
 * reported as surely dropped.
 */
public enum CloseReason {
    /** A limit passed. */
    TIMEOUT(Errno.ETIMEDOUT, HealthStatus.LOCAL_TIMEOUT, HealthStatus.NETWORK_TIMEOUT, HealthStatus.REMOTE_TIMEOUT),
    /** The card could not deliver a message. */
    BROKEN(Errno.EIO, HealthStatus.LOCAL_DROPPED, HealthStatus.NETWORK_TIMEOUT, HealthStatus.REMOTE_ERROR),
    /** The peer ended it. */
    PEER_CLOSED(Errno.ECONNRESET, HealthStatus.LOCAL_DROPPED, HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_ERROR),
    /** The peer breaks the protocol, or the stack refused what it sent. */
    PROTOCOL(Errno.EPROTO, HealthStatus.LOCAL_DROPPED, HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_ERROR),
    /** The peer is not the one that it was. */
    STALE(Errno.ESTALE, HealthStatus.LOCAL_DROPPED, HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_ERROR),
    /** The device or its port failed. */
    DEVICE(Errno.ENETDOWN, HealthStatus.LOCAL_DROPPED, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR),
    /** Nothing was sent for long, or the route is not wanted any more: nothing is under way. */
    IDLE(Errno.ESHUTDOWN, HealthStatus.LOCAL_ABORTED, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR),
    /** The NI is stopped. */
    SHUTDOWN(Errno.ESHUTDOWN, HealthStatus.LOCAL_ABORTED, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR);

    private final Errno errno;
    private final HealthStatus queued;
    private final HealthStatus posted;
    private final HealthStatus waiting;

    CloseReason(Errno errno, HealthStatus queued, HealthStatus posted, HealthStatus waiting) {
        this.errno = errno;
        this.queued = queued;
        this.posted = posted;
        this.waiting = waiting;
    }

    /** Returns the errno that messages of the connection end with. */
    public Errno errno() {
        return errno;
    }

    /** Tells whether the peer is to be taken for dead. */
    public boolean blamesPeer() {
        return this == TIMEOUT || this == BROKEN;
    }

    /** Tells whether messages that have arrived count, though they are looked at only now. */
    boolean keepsArrived() {
        return this != PROTOCOL && this != STALE && this != SHUTDOWN;
    }

    /** Notes the failure in a transmit of the connection, unless it is over already. */
    void apply(Tx tx) {
        if (tx.isAnswered()) {
            return;
        }
        boolean begun = tx.type() == KibType.PUT_DONE || tx.type() == KibType.PUT_ACK;
        boolean wasPosted = tx.sending() > 0 || tx.isRecalled();
        HealthStatus health = wasPosted ? posted : tx.isQueued() && !begun ? queued : waiting;
        tx.fail(errno.status(), health);
    }
}
