package org.railyard.lnet.api;

/** How an NI of this node does, in one word. */
public enum NiState {
    /** It is well. */
    ACTIVE,
    /** It works and has failed lately. */
    DEGRADED,
    /** Its device does not work, or it has no health left. */
    FAILED
}
