package org.railyard.socklnd.peer;

import java.util.ArrayList;
import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.connection.ConnectionOwner;
import org.railyard.socklnd.connection.CookieQueue;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.socklnd.wire.ZeroCopyAck;

/** Zero-copy acks from and to one peer (spec 02 §7). Thread-safe. */
final class PeerAcks {
    private final ConnectionOwner peer;
    private final ZcAcks<Connection> zeroCopy;
    private final boolean nonblocking;

    PeerAcks(ConnectionOwner peer, ZcAcks<Connection> zeroCopy) {
        this.peer = peer;
        this.zeroCopy = zeroCopy;
        this.nonblocking = peer.context().config().isOn(SockTunable.NONBLK_ZCACK);
    }

    /** Acknowledges a request that came over {@code carrier}, on the one of the connections that fits best. */
    void send(Connection[] connections, Connection carrier, long cookie) {
        Connection best = ConnectionChoice.forAck(connections, carrier, nonblocking);
        // Another thread may have closed the best one since it was chosen.
        if (best.sendNoop(cookie) || best.isClosed() && carrier.sendNoop(cookie)) {
            peer.context().counters().zeroCopyAcksSent.increment();
        } else if (!carrier.isClosed()) {
            peer.context()
                    .refuse(
                            HandshakeRefusal.BAD_FRAME,
                            () -> "connections with " + peer + " are closed: more than " + CookieQueue.LIMIT
                                    + " acknowledgements wait to be sent, since it does not read what it is sent");
            peer.connectionFailed(carrier, Errno.ENOBUFS, HealthStatus.REMOTE_ERROR);
        }
    }

    /**
     * Takes what a frame acknowledges.
     *
     * @throws WireFormatException if it names a cookie that waits for no ack
     */
    void received(FrameHeader frame, ProtocolVersion version) throws WireFormatException {
        ZeroCopyAck ack = ZeroCopyAck.of(frame, version);
        if (ack.count() == 0) {
            return;
        }
        List<LndMessage> messages = new ArrayList<>();
        boolean known = zeroCopy.acknowledge(ack, messages);
        for (LndMessage message : messages) {
            peer.context().stack().complete(message, 0, HealthStatus.OK);
        }
        if (!known) {
            throw new WireFormatException(
                    "zero-copy ack " + ack + " names unknown cookies, expected requests that wait for one");
        }
    }
}
