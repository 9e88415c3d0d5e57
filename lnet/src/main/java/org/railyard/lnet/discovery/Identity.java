package org.railyard.lnet.discovery;

import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.wire.PingInfo;

/**
 * Notices that the node behind a NID is not the one that it was: an address was given to another machine (spec 11
 * §7.1).
 */
public final class Identity {
    private final Node node;
    private final Announcements announcements;
    private final Discovery discovery;

    Identity(Node node, Announcements announcements, Discovery discovery) {
        this.node = node;
        this.announcements = announcements;
        this.discovery = discovery;
    }

    /**
     * Tells whether the node that answered a ping to a NID is the peer that the NID belongs to. If it is not, that is
     * logged, the NID becomes a peer of its own where nothing holds it back, and its discovery starts.
     *
     * @param ni the NID that was pinged, and answered
     * @param info the answer
     * @return true also if it can not be told, since the answer was cut, if the NID is no peer's any more, or if nobody
     *     wants it to be checked
     */
    public boolean isStillThere(PeerNi ni, PingInfo info) {
        node.lock.assertHeld();
        Peer peer = ni.peer();
        Nid announced = info.primary();
        if (!node.settings.is(Tunable.VERIFY_PEER_IDENTITY)
                || announced == null
                || info.isTruncated()
                || node.peers.find(ni.nid()) != ni
                || isOneNode(peer, announced, info)) {
            return true;
        }
        announcements.complain(
                System.Logger.Level.WARNING,
                "identity",
                "NID " + ni + " of peer " + peer + " is answered by the node " + announced
                        + ", which is another one; the address seems to have been given to that");
        Peer alone = announcements.merger().splitOff(ni);
        if (alone != null) {
            discovery.request(alone);
        } else if (peer.nis().size() > 1) {
            ni.status = PingInfo.STATUS_DOWN;
        } else if (discovery.isUpToDate(peer)) {
            peer.clear(PeerState.NIDS_UPTODATE);
            discovery.request(peer);
        }
        return false;
    }

    private boolean isOneNode(Peer peer, Nid announced, PingInfo info) {
        PeerNi owner = node.peers.find(announced);
        if (owner != null && owner.peer() == peer) {
            return true;
        }
        for (PingInfo.Entry entry : info.entries()) {
            if (entry.nid().equals(peer.primaryNid)) {
                return true;
            }
        }
        return false;
    }
}
