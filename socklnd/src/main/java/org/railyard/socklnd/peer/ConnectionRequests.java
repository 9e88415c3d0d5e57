package org.railyard.socklnd.peer;

import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Who opens connections for peers. */
@FunctionalInterface
public interface ConnectionRequests {
    /**
     * Begins an attempt; exactly one of the peer's {@code dial…} methods will tell how it ended, on another thread.
     * None will if the transport stops before the attempt has begun.
     *
     * @param type the type as this side sees it
     * @param version the version to begin with
     */
    void dial(SockPeer peer, ConnectionType type, ProtocolVersion version);
}
