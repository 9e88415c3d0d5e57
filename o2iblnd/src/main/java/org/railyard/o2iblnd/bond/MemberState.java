package org.railyard.o2iblnd.bond;

import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.PortAttributes;

/** State of an interface of a group (spec 21 §5). */
public enum MemberState {
    /** The port carries nothing. */
    PORT_DOWN(0),
    /** The port carries data at its full speed. */
    PORT_ACTIVE(1),
    /** The device is broken. */
    FATAL(2),
    /** The port carries data, but slower than it should. */
    PORT_DEGRADE(3);

    private final int number;

    MemberState(int number) {
        this.number = number;
    }

    /** Returns its number. */
    public int number() {
        return number;
    }

    /** Returns its name in documents and logs. */
    public String text() {
        return "IBLND_DEV_" + name();
    }

    /** Tells whether traffic may use it. */
    public boolean isUsable() {
        return this == PORT_ACTIVE || this == PORT_DEGRADE;
    }

    /**
     * Returns the state of a port.
     *
     * @param port as it is now
     * @param expectedRate of its link, in units of 0.1 Mb/s
     */
    public static MemberState of(PortAttributes port, long expectedRate) {
        return !port.isActive() ? PORT_DOWN : port.linkRate() < expectedRate ? PORT_DEGRADE : PORT_ACTIVE;
    }

    /**
     * Returns the state after an event of the device, or of the member's own port.
     *
     * @param port as it is now
     * @param expectedRate of its link, in units of 0.1 Mb/s
     * @param fatalIsSticky whether only a device that is opened anew is out of {@link #FATAL}
     */
    public MemberState after(AsyncEvent.Type event, PortAttributes port, long expectedRate, boolean fatalIsSticky) {
        return switch (event) {
            case DEVICE_FATAL, DEVICE_REMOVED -> FATAL;
            case PORT_ERROR -> this == FATAL ? FATAL : PORT_DOWN;
            case PORT_ACTIVE -> this == FATAL && fatalIsSticky ? FATAL : of(port, expectedRate);
            case PATHS_CHANGED, QP_COMMUNICATION_ESTABLISHED, QP_FATAL, CQ_ERROR -> this;
        };
    }
}
