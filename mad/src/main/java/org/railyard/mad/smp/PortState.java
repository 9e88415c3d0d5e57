package org.railyard.mad.smp;

/** States of a port's link, with their codes on the wire (spec 40 §2.3). */
public enum PortState {
    /** In a Set: leave it. */
    NO_CHANGE,
    /** Carries nothing. */
    DOWN,
    /** Carries management only. */
    INIT,
    /** Ready; the next step is active. */
    ARMED,
    /** Carries data. */
    ACTIVE;

    private static final PortState[] BY_CODE = values();

    /** Returns the number on the wire. */
    public int code() {
        return ordinal();
    }

    /** Returns the state of a code; what no state has is {@link #DOWN}: such a port carries nothing for us. */
    public static PortState of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : DOWN;
    }
}
