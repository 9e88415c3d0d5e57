package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndReceiver;

/**
 * What a router needs to know of a message for another node (spec 11 §6.6). A part of its message, used again with it;
 * allocates nothing.
 */
public final class MessageTransit {
    private @Nullable LocalNi cameBy;
    private @Nullable PeerNi cameFrom;
    private @Nullable LndReceiver source;

    /** The router buffer that it has, null if none. */
    @Nullable
    RouterBuffer buffer;

    MessageTransit() {}

    void clear() {
        cameBy = null;
        cameFrom = null;
        source = null;
        buffer = null;
    }

    /**
     * It came in.
     *
     * @param by the NI
     * @param from the peer NI, whose router credits it is charged to
     */
    public void begin(@Nullable LocalNi by, @Nullable PeerNi from) {
        cameBy = by;
        cameFrom = from;
    }

    /** Returns the NI that it came by. */
    public @Nullable LocalNi cameBy() {
        return cameBy;
    }

    /** Returns the peer NI that it came from, whose router credits it is charged to. */
    public @Nullable PeerNi cameFrom() {
        return cameFrom;
    }

    /** Says where its payload comes from, until the transport is told where to put it; null from then on. */
    public void setSource(@Nullable LndReceiver receiver) {
        source = receiver;
    }

    /** Returns where its payload comes from; null when the transport has been told where to put it. */
    public @Nullable LndReceiver source() {
        return source;
    }

    /** Returns the router buffer that it has, null if none. */
    public @Nullable RouterBuffer buffer() {
        return buffer;
    }
}
