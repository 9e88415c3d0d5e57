package org.railyard.socklnd.handshake;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.io.IoLoop;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/** What a handshake needs of the connector that runs it. Called by the connector's thread only. */
interface HandshakeOwner {
    /** Returns the loop that runs handshakes. */
    IoLoop loop();

    /** Returns what all parts of the transport share. */
    SockContext context();

    /** Returns the peers of the NI with a NID; null if there is none here. */
    @Nullable
    SockPeerTable peersOf(Nid nid);

    /**
     * Makes a connection out of a channel whose handshake is done.
     *
     * @throws IOException if the channel broke meanwhile, or there is no memory for buffers
     */
    Connection connect(
            SockPeer peer, SocketChannel channel, ConnectionType type, ProtocolVersion version, ByteOrder order)
            throws IOException;

    /** A handshake released its channel. */
    void ended(Handshake handshake);
}
