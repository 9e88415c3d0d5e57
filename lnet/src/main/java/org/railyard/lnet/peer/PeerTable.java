package org.railyard.lnet.peer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.udsp.Policy;

/** The peers, found by any of their NIDs; a NID belongs to one peer at most (spec 10 §2). */
public final class PeerTable {
    /** Most NIDs of peers that are remembered; messages from further unknown nodes are dropped. */
    public static final int MAX_PEER_NIS = 1 << 18;

    private final NiTable nis;
    private final Policy policy;
    private final Map<Nid, PeerNi> byNid = new LinkedHashMap<>();
    private final Set<Peer> peers = new LinkedHashSet<>();

    /** Makes an empty table that takes credits of new peer NIs from the given local nets, and applies a policy to them. */
    public PeerTable(NiTable nis, Policy policy) {
        this.nis = nis;
        this.policy = policy;
    }

    /** Returns the peer NI with a NID, or null. */
    public @Nullable PeerNi find(Nid nid) {
        return byNid.get(nid);
    }

    /** Returns the primary NID of the peer that owns a NID; the NID itself if no peer does. */
    public Nid primaryOf(Nid nid) {
        PeerNi owner = byNid.get(nid);
        return owner == null ? nid : owner.peer().primaryNid;
    }

    /** Tells whether two NIDs belong to one peer. */
    public boolean isSamePeer(Nid one, Nid other) {
        PeerNi owner = byNid.get(one);
        PeerNi otherOwner = byNid.get(other);
        return owner != null && otherOwner != null && owner.peer() == otherOwner.peer();
    }

    /**
     * Returns the peer NI with a NID; if there is none, makes a peer of that one NID, not multi-rail, not discovered.
     *
     * @param via the local NI that received the message that made the peer known: for a peer that stays non-multi-rail it is the one to answer
     *     from; null if we are the ones who start
     * @return null at {@link #MAX_PEER_NIS}
     */
    public @Nullable PeerNi findOrCreate(Nid nid, @Nullable LocalNi via) {
        PeerNi known = byNid.get(nid);
        if (known != null) {
            return known;
        }
        if (isFull()) {
            return null;
        }
        Peer peer = new Peer(nid);
        peers.add(peer);
        PeerNi created = addNid(peer, nid);
        if (via != null && nid.isOn(via.net())) {
            created.peerNet.preferred = via;
        }
        return created;
    }

    /** Gives a peer a NID that no peer has. */
    PeerNi addNid(Peer peer, Nid nid) {
        LocalNet local = nis.netOf(nid);
        PeerNet net = netOf(peer, nid.net());
        PeerNi created =
                new PeerNi(nid, net, local == null ? 0 : local.tunables().peerCredits());
        net.nis.add(created);
        byNid.put(nid, created);
        policy.apply(created);
        return created;
    }

    /** Moves a NID, with all that is known of it, to another peer. */
    void moveNid(PeerNi ni, Peer to) {
        leave(ni);
        ni.peerNet = netOf(to, ni.nid().net());
        ni.peerNet.nis.add(ni);
    }

    /** Takes a NID from its peer and forgets it; messages in flight finish on the detached object. */
    public void removeNid(PeerNi ni) {
        leave(ni);
        byNid.remove(ni.nid());
    }

    private static void leave(PeerNi ni) {
        PeerNet net = ni.peerNet;
        net.nis.remove(ni);
        if (net.nis.isEmpty()) {
            net.peer.nets.remove(net);
        }
    }

    private PeerNet netOf(Peer peer, Net net) {
        PeerNet found = peer.net(net);
        if (found == null) {
            found = new PeerNet(net, peer);
            peer.nets.add(found);
            policy.apply(found);
        }
        return found;
    }

    /** Puts the net of the primary NID first, and the primary NI first in it. */
    static void putPrimaryFirst(Peer peer) {
        PeerNet net = peer.net(peer.primaryNid.net());
        if (net != null) {
            peer.nets.remove(net);
            peer.nets.addFirst(net);
            for (PeerNi ni : net.nis) {
                if (ni.nid().equals(peer.primaryNid)) {
                    net.nis.remove(ni);
                    net.nis.addFirst(ni);
                    break;
                }
            }
        }
    }

    /** Forgets a peer and all its NIDs. */
    public void remove(Peer peer) {
        for (PeerNi ni : peer.nis()) {
            removeNid(ni);
        }
        forget(peer);
    }

    /** Forgets a peer that has no NID left. */
    void forget(Peer peer) {
        peers.remove(peer);
        peer.detached = true;
    }

    /** A local net appeared: peer NIs on it get their credits. */
    public void netAdded(LocalNet net) {
        for (PeerNi ni : byNid.values()) {
            if (ni.nid().isOn(net.net()) && ni.credits.max() == 0) {
                ni.credits.resize(net.tunables().peerCredits());
            }
        }
    }

    /** A local net is not there after all: peer NIs on it have no credits. */
    public void netWithdrawn(LocalNet net) {
        for (PeerNi ni : byNid.values()) {
            if (ni.nid().isOn(net.net())) {
                ni.credits.resize(0);
            }
        }
    }

    /**
     * A local net is gone: peers that are still reached through another local net keep their NIDs on it, without credits; the others are forgotten
     * (spec 10 §2).
     *
     * @return the peers that are forgotten
     */
    public List<Peer> netRemoved(LocalNet gone) {
        netWithdrawn(gone);
        List<Peer> forgotten = new ArrayList<>();
        for (Peer peer : all()) {
            if (peer.net(gone.net()) == null) {
                continue;
            }
            Nid reachable = reachableNid(peer);
            if (reachable == null) {
                remove(peer);
                forgotten.add(peer);
            } else if (nis.netOf(peer.primaryNid) == null) {
                peer.primaryNid = reachable;
                putPrimaryFirst(peer);
            }
        }
        return forgotten;
    }

    private @Nullable Nid reachableNid(Peer peer) {
        for (PeerNet net : peer.nets) {
            if (nis.net(net.net()) != null) {
                return net.nis.getFirst().nid();
            }
        }
        return null;
    }

    /** A local NI goes: nobody prefers it any more. */
    public void niRemoved(LocalNi gone) {
        for (Peer peer : peers) {
            for (PeerNet net : peer.nets) {
                if (net.preferred == gone) {
                    net.preferred = null;
                }
            }
        }
    }

    /** Returns the peers, in order of creation. */
    public List<Peer> all() {
        return new ArrayList<>(peers);
    }

    /** Tells whether no further NID can be remembered. */
    boolean isFull() {
        return byNid.size() >= MAX_PEER_NIS;
    }
}
