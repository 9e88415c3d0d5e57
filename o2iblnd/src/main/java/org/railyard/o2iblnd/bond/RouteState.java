package org.railyard.o2iblnd.bond;

import java.util.Locale;

/** Where a route stands. */
public enum RouteState {
    /** Never tried, or closed in an orderly way: the next message that picks it connects it. */
    NEW,
    /** The first connection is being made; messages wait for it. */
    CONNECTING,
    /** Carries messages. */
    CONNECTED,
    /** Its connection was lost, or could not be made. */
    DISCONNECTED,
    /** Was disconnected, and is being connected again. */
    RECONNECTING;

    /** Returns its name in documents. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
