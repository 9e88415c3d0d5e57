package org.railyard.lnet.peer;

import org.railyard.base.Errno;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;

/** Which NID may belong to which peer (spec 11 §4.1, §4.2, §4.4, §4.5). */
final class Membership {
    private final PeerTable peers;
    private final ProblemListener complaints;

    Membership(PeerTable peers, ProblemListener complaints) {
        this.peers = peers;
        this.complaints = complaints;
    }

    /**
     * Gives a peer a NID that discovery says it has.
     *
     * @return 0; EPERM if the peer is configured, EEXIST if the NID belongs to another peer that keeps it, ENOMEM if no
     *     more NIDs can be remembered, as a negative status
     */
    int discovered(Peer peer, Nid nid) {
        PeerNi known = peers.find(nid);
        if (known != null && known.peer() == peer) {
            return 0;
        }
        return peer.is(PeerState.CONFIGURED) ? Errno.EPERM.status() : take(peer, nid);
    }

    /**
     * Gives a peer a NID that configuration says it has.
     *
     * @return 0; EEXIST, ENOMEM as {@link #discovered}; ENOTUNIQ if the peer is not multi-rail and has a NID on that
     *     net, as a negative status
     */
    int configured(Peer peer, Nid nid) {
        PeerNi known = peers.find(nid);
        if (known != null && known.peer() == peer) {
            return 0;
        }
        if (!peer.isMultiRail() && peer.net(nid.net()) != null) {
            return Errno.ENOTUNIQ.status();
        }
        return take(peer, nid);
    }

    private int take(Peer peer, Nid nid) {
        PeerNi known = peers.find(nid);
        if (known == null) {
            peers.use(peer);
            if (!peers.makeRoom(1)) {
                return Errno.ENOMEM.status();
            }
            peers.addNid(peer, nid);
            return 0;
        }
        Peer owner = known.peer();
        if (owner.is(PeerState.CONFIGURED)) {
            return Errno.EEXIST.status();
        }
        if (!nid.equals(owner.primaryNid)) {
            peers.takeNid(known, peer);
            return 0;
        }
        if (owner.is(PeerState.LOCK_PRIMARY) && owner.nis().size() > 1) {
            flag(peer, owner, nid);
            return Errno.EEXIST.status();
        }
        peers.moveNid(known, peer);
        inheritLock(peer, owner);
        peers.dissolve(owner, peer);
        return 0;
    }

    /** Flags a peer that configuration gives the locked primary NID of another. */
    void contested(Peer peer, Nid nid) {
        PeerNi known = peers.find(nid);
        Peer owner = known == null ? peer : known.peer();
        boolean keeps = owner != peer && !owner.is(PeerState.CONFIGURED) && owner.is(PeerState.LOCK_PRIMARY);
        if (keeps && nid.equals(owner.primaryNid)) {
            flag(peer, owner, nid);
        }
    }

    /** Both have good reasons to claim a NID: nothing moves, and people are to look at it. */
    private void flag(Peer peer, Peer owner, Nid nid) {
        peer.set(PeerState.BAD_CONFIG);
        owner.set(PeerState.BAD_CONFIG);
        complaints.complain(
                System.Logger.Level.ERROR,
                "claims",
                "peers " + peer + " and " + owner + " both claim " + nid + ", which is the locked primary NID of "
                        + owner + "; it stays there. Check which NIDs these nodes were configured with");
    }

    /** The earliest lock wins. */
    private void inheritLock(Peer peer, Peer dissolved) {
        boolean earlier = !peer.is(PeerState.LOCK_PRIMARY) || dissolved.lockedAt < peer.lockedAt;
        if (dissolved.is(PeerState.LOCK_PRIMARY) && earlier) {
            peer.set(PeerState.LOCK_PRIMARY);
            peer.lockedAt = dissolved.lockedAt;
            peers.setPrimary(peer, dissolved.primaryNid);
        }
    }

    /** A peer turned out to be multi-rail: it knows us by any NID, no local NI is preferred any more. */
    static void setMultiRail(Peer peer) {
        if (!peer.isMultiRail()) {
            peer.set(PeerState.MULTI_RAIL);
            for (PeerNet net : peer.nets) {
                net.preferred = null;
            }
        }
    }
}
