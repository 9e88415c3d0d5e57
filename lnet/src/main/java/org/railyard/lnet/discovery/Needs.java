package org.railyard.lnet.discovery;

import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerState;
import org.railyard.lnet.stack.Node;

/** What a peer and we still have to tell each other (spec 11 §2). Needs the lock. */
final class Needs {
    private final Node node;
    private final PingTarget target;

    Needs(Node node, PingTarget target) {
        this.node = node;
        this.target = target;
    }

    /** Tells whether we discover peers and let ourselves be discovered. */
    boolean isOn() {
        return node.settings.discovery() && node.settings.multiRail();
    }

    /** Tells whether a peer is owed our NIDs. */
    boolean push(Peer peer) {
        if (!peer.isMultiRail() || peer.isAny(PeerState.MARK_DELETION | PeerState.PUSH_SENT)) {
            return false;
        }
        return peer.is(PeerState.FORCE_PUSH)
                || (isOn() && !peer.is(PeerState.NO_DISCOVERY) && peer.acknowledgedSequence != target.sequence());
    }

    /** Tells whether both know each other, so that messages may flow. */
    boolean nothing(Peer peer) {
        return !peer.isAny(PeerState.DISCOVERING | PeerState.FORCE_PING | PeerState.FORCE_PUSH | PeerState.REDISCOVER)
                && peer.is(PeerState.DISCOVERED | PeerState.NIDS_UPTODATE)
                && !push(peer);
    }
}
