package org.railyard.socklnd.tune;

/** Who may connect (spec 02 §2.1). */
public enum AcceptPolicy {
    /** Only callers whose source port is at most 1023. */
    SECURE,
    /** Everybody. Callers from higher ports are peers of their own, known by address and port. */
    ALL,
    /** Nobody: there is no acceptor. */
    NONE
}
