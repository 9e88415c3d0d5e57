package org.railyard.fabric.model;

/** Logical state of a port's link. */
public enum LinkState {
    /** Carries nothing; routing does not see the cable. */
    DOWN,
    /** Carries management packets only. */
    INIT,
    /** Ready to become active. */
    ARMED,
    /** Carries data. */
    ACTIVE
}
