package org.railyard.socklnd.tune;

import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.wire.ConnectionType;

/** Where a peer listens, for clusters whose nodes do not all use the same port. Thread-safe. */
@FunctionalInterface
public interface PeerPorts {
    /**
     * Returns the TCP port to dial, 1…65535.
     *
     * @param peer the peer's NID
     * @param type the connection wanted
     */
    int portOf(Nid peer, ConnectionType type);
}
