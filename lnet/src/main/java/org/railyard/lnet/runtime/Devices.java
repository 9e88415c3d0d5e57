package org.railyard.lnet.runtime;

import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.discovery.PingTarget;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Stack;
import org.railyard.lnet.wire.PingInfo;

/**
 * What transports say of devices and of peers, and what follows from it (spec 10 §11.4, 11 §5, §6.4). Needs no lock.
 */
final class Devices {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final Stack stack;
    private final PingTarget pingTarget;
    private final Discovery discovery;

    Devices(Node node, Stack stack, PingTarget pingTarget, Discovery discovery) {
        this.node = node;
        this.stack = stack;
        this.pingTarget = pingTarget;
        this.discovery = discovery;
    }

    /**
     * Something happened to the device of an NI; the contract is {@link org.railyard.lnet.lnd.LndUpcalls#deviceEvent}.
     */
    void event(LndNi lndNi, DeviceEvent event) {
        LocalNi ni = (LocalNi) lndNi;
        switch (event) {
            case FATAL -> changed(ni, true);
            case CLEAR -> changed(ni, false);
            case DEGRADED -> degraded(ni);
        }
    }

    private void changed(LocalNi ni, boolean fatal) {
        boolean router;
        node.lock.lock();
        try {
            if (node.stopping || ni.fatal == fatal || ni.state() == LocalNi.State.DELETING) {
                return;
            }
            ni.fatal = fatal;
            router = node.routing.forwards();
            if (fatal) {
                ni.downEvents++;
            } else {
                ni.upEvents++;
            }
            node.events.tell(fatal ? NodeEventKind.DEVICE_DOWN : NodeEventKind.DEVICE_UP, ni.nid());
            node.health.deviceChanged(ni);
            if (fatal && node.settings.is(Tunable.REQUEUE_ON_NI_FAILURE)) {
                stack.resender().moveFrom(ni);
            }
        } finally {
            node.lock.unlock();
        }
        stack.dispatcher().flush();
        if (fatal) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "NI {0} is down: its device {1} failed, is gone, or lost its link or address;"
                            + " ''lnetctl doctor'' tells more",
                    ni,
                    ni.interfaceName());
        } else {
            LOG.log(System.Logger.Level.ERROR, "NI {0} is up again", ni);
        }
        if (router) {
            // Its own NIDs stay: only what they are good for has changed (spec 11 §5).
            pingTarget.refresh();
            discovery.publishStatus();
        } else {
            pingTarget.rebuild();
            discovery.publish(false);
        }
    }

    private void degraded(LocalNi ni) {
        int health;
        node.lock.lock();
        try {
            if (node.stopping || ni.state() == LocalNi.State.DELETING) {
                return;
            }
            node.events.tell(NodeEventKind.DEVICE_DEGRADED, ni.nid());
            node.health.lower(ni);
            health = ni.health;
        } finally {
            node.lock.unlock();
        }
        LOG.log(System.Logger.Level.ERROR, "NI {0} works worse than it should, its health is {1}", ni, health);
    }

    /**
     * A peer was found alive or dead; the contract is {@link org.railyard.lnet.lnd.LndUpcalls#notifyPeer}. What is no
     * news is ignored.
     */
    void peer(LndNi lndNi, Nid nid, boolean alive, boolean reset, long when) {
        node.lock.lock();
        try {
            if (!nid.isOn(lndNi.net()) || when - node.now() > 0) {
                return;
            }
            // A connection may outlive what is known of the peer: it was told as up, and is told as down.
            node.events.tell(
                    alive ? NodeEventKind.CONNECTION_UP : NodeEventKind.CONNECTION_DOWN,
                    nid,
                    ((LocalNi) lndNi).nid(),
                    "");
            PeerNi peerNi = node.peers.find(nid);
            if (peerNi == null) {
                return;
            }
            if (alive && isNews(peerNi, when)) {
                revive(peerNi, reset, when);
                node.gateways.notified((LocalNi) lndNi, peerNi, true, reset);
            } else if (!alive && node.settings.is(Tunable.AUTO_DOWN)) {
                // However old it is: nothing was received since, or the transport would not say so.
                node.gateways.notified((LocalNi) lndNi, peerNi, false, reset);
            }
        } finally {
            node.lock.unlock();
        }
        stack.dispatcher().flush();
        if (LOG.isLoggable(System.Logger.Level.DEBUG)) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: peer {1} is {2}", lndNi, nid, alive ? "alive" : "dead");
        }
    }

    /**
     * There is a connection with a peer where there was none. Of a peer that dials it is the first that is heard, so
     * that it need not be known.
     */
    void connected(LndNi lndNi, Nid nid) {
        tell(NodeEventKind.CONNECTION_UP, lndNi, nid);
    }

    /** The last connection with a peer ended, which says nothing of whether the peer lives. */
    void disconnected(LndNi lndNi, Nid nid) {
        tell(NodeEventKind.CONNECTION_DOWN, lndNi, nid);
    }

    private void tell(NodeEventKind kind, LndNi lndNi, Nid nid) {
        node.lock.lock();
        try {
            if (nid.isOn(lndNi.net())) {
                node.events.tell(kind, nid, ((LocalNi) lndNi).nid(), "");
            }
        } finally {
            node.lock.unlock();
        }
    }

    private boolean isNews(PeerNi peerNi, long when) {
        return !(peerNi.everAlive && when - peerNi.lastAlive < 0);
    }

    private void revive(PeerNi peerNi, boolean reset, long when) {
        peerNi.lastAlive = when;
        peerNi.everAlive = true;
        peerNi.status = PingInfo.STATUS_UP;
        if (reset) {
            node.health.revive(peerNi);
        } else {
            node.health.found(peerNi);
        }
    }
}
