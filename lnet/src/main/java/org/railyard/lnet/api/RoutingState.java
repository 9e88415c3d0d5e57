package org.railyard.lnet.api;

/** Whether a node forwards messages of others (spec 11 §6.5). */
public enum RoutingState {
    /** It does not: messages for others are dropped. */
    DISABLED(0),
    /** It does, and says so. */
    ENABLED(1),
    /** It still does, but says that it does not, so that others look for another way. */
    STOPPING(2),
    /** It does, but does not say so yet: first it has to find out which of its nets work. */
    STARTING(3);

    private final int number;

    RoutingState(int number) {
        this.number = number;
    }

    /** Returns its number in output. */
    public int number() {
        return number;
    }

    /** Tells whether messages of others are forwarded. */
    public boolean forwards() {
        return this != DISABLED;
    }

    /** Tells whether forwarding is turned on: messages of others are forwarded, and will be. */
    public boolean isOn() {
        return this == ENABLED || this == STARTING;
    }
}
