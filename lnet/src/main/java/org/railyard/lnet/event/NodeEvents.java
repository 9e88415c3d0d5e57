package org.railyard.lnet.event;

import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.host.StateLock;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.NodeListener;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/**
 * The one place where all parts of a node tell what happens. Without a listener, and while nobody records, that costs
 * next to nothing. All methods need the lock.
 */
public final class NodeEvents {
    private final StateLock lock;
    private final Tracer tracer;
    private final @Nullable EventLimiter limiter;

    /**
     * Makes it.
     *
     * @param lock the node's
     * @param listener hears what happens, null for nobody
     */
    public NodeEvents(StateLock lock, Host host, @Nullable NodeListener listener) {
        this.lock = lock;
        this.tracer = host.tracer();
        this.limiter = listener == null ? null : new EventLimiter(host.clock(), listener);
    }

    /** Something happened to an NI, a peer or a connection. */
    public void tell(NodeEventKind kind, Nid nid) {
        tell(kind, nid, Nid.ANY, 0, 0, "");
    }

    /** Something happened, with a reason or a name. */
    public void tell(NodeEventKind kind, Nid nid, Nid other, String detail) {
        tell(kind, nid, other, 0, 0, detail);
    }

    /**
     * Something happened; for the arguments see {@link org.railyard.lnet.api.NodeEvent}.
     *
     * @param detail a text that is there already: most events are never read
     */
    public void tell(NodeEventKind kind, Nid nid, Nid other, int before, int now, String detail) {
        lock.assertHeld();
        if (limiter != null) {
            limiter.add(kind, nid, other, before, now, detail);
        }
    }

    /** The health of an NI of this node, or of a peer NI, may have changed. */
    public void health(boolean local, Nid nid, int before, int now) {
        lock.assertHeld();
        if (before == now) {
            return;
        }
        tell(local ? NodeEventKind.NI_HEALTH : NodeEventKind.PEER_HEALTH, nid, Nid.ANY, before, now, "");
        if (tracer.wants(Traced.Kind.HEALTH_CHANGE)) {
            tracer.trace(new Traced.HealthChange(local, nid, before, now));
        }
    }

    /**
     * A message that failed is sent again.
     *
     * @param attempt from 2
     */
    public void resent(
            MessageType type,
            Nid ni,
            Nid peerNi,
            Nid failedNi,
            Nid failedPeerNi,
            int attempt,
            int attempts,
            HealthStatus health) {
        tell(NodeEventKind.MESSAGE_RESENT, ni, peerNi, attempt, attempts, health.name());
        if (tracer.wants(Traced.Kind.RESEND)) {
            tracer.trace(new Traced.Resend(type, ni, peerNi, failedNi, failedPeerNi, attempt, attempts, health));
        }
    }

    /**
     * A discovery of a peer ended.
     *
     * @param news whether that is new: the first one, or another outcome than before
     * @param took ns
     * @param status 0, or a negative errno
     */
    public void discovered(Nid peer, int nids, boolean news, long took, int status) {
        if (status < 0) {
            tell(NodeEventKind.DISCOVERY_FAILED, peer, Nid.ANY, 0, status, "");
        } else if (news) {
            tell(NodeEventKind.PEER_DISCOVERED, peer, Nid.ANY, 0, nids, "");
        }
        if (tracer.wants(Traced.Kind.DISCOVERY)) {
            tracer.trace(new Traced.Discovery(peer, nids, took, status));
        }
    }

    /** Tells what was held back because it repeated. Called about every second. */
    public void settle() {
        lock.assertHeld();
        if (limiter != null) {
            limiter.settle();
        }
    }
}
