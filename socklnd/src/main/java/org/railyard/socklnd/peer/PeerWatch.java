package org.railyard.socklnd.peer;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ZeroCopyAck;

/**
 * Watches the time limits of one peer, and sends keepalives (spec 02 §8, §10). Called by the worker of the transport
 * only.
 */
public final class PeerWatch {
    /** Time between two keepalives, ns. */
    private static final long KEEPALIVE_GAP_NANOS = 10_000_000_000L;

    private final SockPeer peer;
    private long lastKeepaliveNanos;

    PeerWatch(SockPeer peer, long now) {
        this.peer = peer;
        this.lastKeepaliveNanos = now - KEEPALIVE_GAP_NANOS;
    }

    /** Does what is due. */
    public void tick(long now) {
        long limit = peer.ni().timeoutNanos();
        for (Connection connection : peer.connections()) {
            if (!connection.isClosed() && connection.isStalled(now, limit)) {
                peer.connectionTimedOut(connection);
            }
        }
        if (peer.zeroCopy().isOverdue(now, limit)) {
            peer.context().counters().timeouts.increment();
            peer.context()
                    .warn(
                            "no ack " + peer.nid(),
                            "no zero-copy acknowledgement from " + peer.nid() + " for "
                                    + TimeUnit.NANOSECONDS.toSeconds(limit) + " s; its connections are closed");
            peer.closeAll(Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
        }
        peer.expireWaiting(now);
        keepAlive(now);
        peer.dialIfRetryDue(now);
        peer.forgetEnded();
        peer.retireIfIdle(now);
    }

    /** Closes connections over which nothing gets through although the socket took it. */
    public void checkSilence(Map<String, Long> queues, long now) {
        for (Connection connection : peer.connections()) {
            if (!connection.isClosed()
                    && connection.isSilent(queues, now, peer.ni().timeoutNanos())) {
                peer.connectionTimedOut(connection);
            }
        }
    }

    private void keepAlive(long now) {
        long silence = peer.context().nanos(SockTunable.KEEPALIVE);
        if (silence == 0 || now - peer.lastAliveNanos() < silence || now - lastKeepaliveNanos < KEEPALIVE_GAP_NANOS) {
            return;
        }
        Connection connection = ConnectionChoice.forKeepalive(peer.connections());
        if (connection != null && connection.unsentBytes() == 0 && connection.sendNoop(ZeroCopyAck.KEEPALIVE_COOKIE)) {
            lastKeepaliveNanos = now;
            peer.context().counters().keepalivesSent.increment();
        }
    }
}
