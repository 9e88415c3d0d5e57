package org.railyard.verbs;

/** Reasons of rejects, by the numbers of the connection manager. */
public final class CmRejectReason {
    /** The sender still knows the queue pair from an old connection. */
    public static final int STALE_CONNECTION = 10;

    /** Nobody listens on the port. */
    public static final int INVALID_SERVICE_ID = 8;

    /** The software on the other side said no; its private data says why. */
    public static final int CONSUMER_DEFINED = 28;

    private CmRejectReason() {}
}
