package org.railyard.o2iblnd.wire;

import org.jspecify.annotations.Nullable;

/** Why a request for a connection was turned down (spec 20 §6). */
public enum RejectReason {
    /** The other side is connecting as well, and goes first. */
    CONN_RACE(1),
    /** It has no memory or queue for it. */
    NO_RESOURCES(2),
    /** It can not be helped. */
    FATAL(3),
    /** It speaks another version; never sent by V2. */
    CONN_UNCOMPAT(4),
    /** It has another incarnation. */
    CONN_STALE(5),
    /** Too many fragments were asked for. */
    RDMA_FRAGS(6),
    /** A queue too deep was asked for. */
    MSG_QUEUE_SIZE(7),
    /** Nobody listens; never sent. */
    INVALID_SRV_ID(8),
    /** The NI is not ready yet. */
    EARLY(9);

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** Returns the reason with a code; null if there is none. */
    public static @Nullable RejectReason of(int code) {
        return code >= 1 && code <= values().length ? values()[code - 1] : null;
    }

    /** Returns its code on the wire. */
    public int code() {
        return code;
    }
}
