package org.railyard.socklnd.peer;

import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Who opens connections for peers. */
@FunctionalInterface
public interface ConnectionRequests {
    /**
     * Begins an attempt when its turn comes and {@link SockPeer#dialBegins} says that it is wanted; exactly one of
     * the peer's other {@code dial…} methods will tell then how it ended, on another thread. None will if the transport
     * stops before the attempt has begun.
     *
     * @param type the type as this side sees it
     * @param version the version to begin with
     */
    void dial(SockPeer peer, ConnectionType type, ProtocolVersion version);

    /** An attempt may be waiting for its turn that {@link SockPeer#isOnlyAnswered} was true of, and is not any more. */
    default void prefer(SockPeer peer) {}
}
