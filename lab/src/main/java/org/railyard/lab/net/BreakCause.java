package org.railyard.lab.net;

import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;

/** Why a connection ends; decides how the messages on it end, by where they were (spec 10 §22). */
public enum BreakCause {
    /** A message was not through in time. */
    TIMEOUT(Errno.ETIMEDOUT, HealthStatus.LOCAL_TIMEOUT, HealthStatus.NETWORK_TIMEOUT, HealthStatus.REMOTE_TIMEOUT),
    /** The other end reset it. */
    RESET(Errno.ECONNRESET, HealthStatus.REMOTE_DROPPED, HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_ERROR),
    /** Nobody listens at the other end. */
    REFUSED(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED, HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_ERROR),
    /** There is no machine with that address. */
    UNREACHABLE(Errno.EHOSTUNREACH, HealthStatus.REMOTE_DROPPED, HealthStatus.REMOTE_ERROR, HealthStatus.REMOTE_ERROR),
    /** No rail of this machine leads there. */
    NO_ROUTE(Errno.ENETUNREACH, HealthStatus.LOCAL_NO_ROUTE, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR),
    /** The link of the own device went down; what was sent may have arrived and must not be sent again. */
    LINK_DOWN(Errno.ENETDOWN, HealthStatus.LOCAL_ABORTED, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR),
    /** The NI was shut down. */
    SHUTDOWN(Errno.ESHUTDOWN, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR, HealthStatus.LOCAL_ERROR);

    private final Errno errno;
    private final HealthStatus queued;
    private final HealthStatus posted;
    private final HealthStatus unacknowledged;

    BreakCause(Errno errno, HealthStatus queued, HealthStatus posted, HealthStatus unacknowledged) {
        this.errno = errno;
        this.queued = queued;
        this.posted = posted;
        this.unacknowledged = unacknowledged;
    }

    /** Returns the error. */
    public Errno errno() {
        return errno;
    }

    /** Returns the health status of a message that never left. */
    HealthStatus queued() {
        return queued;
    }

    /** Returns the health status of a message that left and is not known to have arrived. */
    HealthStatus posted() {
        return posted;
    }

    /** Returns the health status of a message that arrived, but was not acknowledged by the LND there. */
    HealthStatus unacknowledged() {
        return unacknowledged;
    }
}
