package org.railyard.selftest.api;

/** How a console sees a node of its session (spec 03 §6). */
public enum NodeState {
    /** It is in the session. */
    ACTIVE,
    /** It is in the session of somebody else. */
    BUSY,
    /** It does not answer. */
    DOWN,
    /** It is in no session, or was never asked. */
    UNKNOWN
}
