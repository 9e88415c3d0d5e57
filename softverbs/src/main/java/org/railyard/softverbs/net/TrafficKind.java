package org.railyard.softverbs.net;

/** What travels over a simulated fabric. */
public enum TrafficKind {
    /** A SEND or an RDMA WRITE. */
    DATA,
    /** An acknowledgement, good or bad. */
    ACK,
    /** A request of the connection manager. */
    CM_REQUEST,
    /** Its acceptance. */
    CM_REPLY,
    /** Its reject. */
    CM_REJECT,
    /** That the acceptance came. */
    CM_READY,
    /** That a connection ends, and the answer to it. */
    CM_DISCONNECT
}
