package org.railyard.socklnd.io;

import java.util.Map;

/** Tells how much of what sockets took is not acknowledged by the other host's TCP yet. */
@FunctionalInterface
public interface SendQueues {
    /** Returns the bytes not acknowledged, by {@link ProcNetTcp#key}; sockets that are not known are missing. */
    Map<String, Long> unacknowledged();
}
