package org.railyard.lnet.lnd;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.nid.Nid;

/**
 * The connections of a transport between one NI and one peer NI, at one moment.
 *
 * @param peer NID of the peer
 * @param pid process id of the peer
 * @param state whether there are connections, and what is done to get those that are missing
 * @param open how many there are, by what they are used for, in the order of output
 * @param wanted how many of each use for bulk data the NI makes when it dials
 * @param stateNanos since when there are connections, or since when there are none, ns before now
 * @param aliveNanos when something came from the peer, or its state became known to the transport, ns before now
 * @param waiting messages that wait for a connection
 * @param failure why the last attempt failed or the last connection broke; null if none did since all was well
 * @param retryNanos how long no attempt is made, ns; 0 if the next message begins one
 */
public record PeerConnections(
        Nid peer,
        int pid,
        State state,
        Map<String, Integer> open,
        int wanted,
        long stateNanos,
        long aliveNanos,
        int waiting,
        @Nullable Errno failure,
        long retryNanos) {
    /** Copies the map in its order. */
    public PeerConnections {
        open = Collections.unmodifiableMap(new LinkedHashMap<>(open));
    }

    /** What there is between an NI and a peer NI. */
    public enum State {
        /** There are connections, and none of them is missing. */
        CONNECTED,
        /** There are connections; the last attempt to make those that are missing failed. */
        INCOMPLETE,
        /** There are none; one is being made. */
        CONNECTING,
        /** There are none; the last attempt failed. */
        FAILED,
        /** There are none, and nobody needs one. */
        NONE;

        /** Returns its name in documents. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Tells whether attempts failed. */
        public boolean isBad() {
            return this == INCOMPLETE || this == FAILED;
        }
    }
}
