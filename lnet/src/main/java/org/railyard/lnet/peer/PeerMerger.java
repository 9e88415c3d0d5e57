package org.railyard.lnet.peer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.railyard.lnet.health.HealthBook;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.PeerState;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;

/** What a node's announcement of itself changes in the peer table (spec 11 §4). */
public final class PeerMerger {
    private final PeerTable peers;
    private final HealthBook health;
    private final Consumer<String> complaints;

    /**
     * Makes a merger for a table.
     *
     * @param health notes what peers say of their NIs
     * @param complaints takes what is wrong with an announcement, in words; called with the lock held
     */
    public PeerMerger(PeerTable peers, HealthBook health, Consumer<String> complaints) {
        this.peers = peers;
        this.health = health;
        this.complaints = complaints;
    }

    /**
     * Takes an announcement in.
     *
     * @param from the peer that it came from
     * @param info the announcement
     * @param discoveryOn whether discovery is on here
     * @return the peer that the announcement turned out to be about: {@code from}, or the one that owned its primary NID already
     */
    public Peer merge(Peer from, PingInfo info, boolean discoveryOn) {
        Nid primary = info.primary();
        if (primary == null || isNobody(primary)) {
            return from;
        }
        boolean off = !discoveryOn || from.is(PeerState.NO_DISCOVERY) || !from.isMultiRail();
        if (primary.equals(from.primaryNid) || (off && announces(info, from.primaryNid))) {
            mergeInto(from, info, off);
            return from;
        }
        PeerNi owner = peers.find(primary);
        if (owner == null || owner.peer() == from) {
            if (!from.is(PeerState.CONFIGURED)) {
                if (owner == null && !peers.isFull()) {
                    owner = peers.addNid(from, primary);
                }
                from.primaryNid = owner == null ? from.primaryNid : primary;
            }
            mergeInto(from, info, off);
            return from;
        }
        Peer other = owner.peer();
        if (from.isMultiRail()) {
            setMultiRail(other);
        }
        other.clear(PeerState.NO_DISCOVERY & ~from.state);
        other.pushSource = from.pushSource;
        other.pushTarget = from.pushTarget;
        mergeInto(other, info, off);
        return other;
    }

    private static boolean announces(PingInfo info, Nid nid) {
        for (PingInfo.Entry entry : info.entries()) {
            if (entry.nid().equals(nid)) {
                return true;
            }
        }
        return false;
    }

    private void mergeInto(Peer peer, PingInfo info, boolean discoveryOff) {
        if (info.hasFeature(PingInfo.RTE_DISABLED)) {
            peer.clear(PeerState.ROUTER_ENABLED);
        } else {
            peer.set(PeerState.ROUTER_ENABLED);
        }
        Map<Nid, Integer> announced = new LinkedHashMap<>();
        for (PingInfo.Entry entry : info.entries()) {
            if (!isNobody(entry.nid())) {
                announced.put(entry.nid(), entry.status());
            }
        }
        if (!discoveryOff) {
            announced.keySet().forEach(nid -> takeNid(peer, nid));
            dropVanished(peer, announced);
            PeerTable.putPrimaryFirst(peer);
        }
        for (PeerNi ni : peer.nis()) {
            Integer status = announced.get(ni.nid());
            if (status != null) {
                setStatus(ni, status);
            }
        }
    }

    /** What no single node can own. */
    private static boolean isNobody(Nid nid) {
        return nid.isAny() || nid.isLoopback();
    }

    private void takeNid(Peer peer, Nid nid) {
        PeerNi known = peers.find(nid);
        if (known == null) {
            if (!peers.isFull()) {
                peers.addNid(peer, nid);
            }
            return;
        }
        Peer owner = known.peer();
        if (owner == peer) {
            return;
        }
        if (owner.is(PeerState.CONFIGURED)) {
            complaints.accept("peer " + peer + " announces " + nid + ", which is configured as a NID of " + owner
                    + "; the configuration stays");
            return;
        }
        peers.moveNid(known, peer);
        if (nid.equals(owner.primaryNid)) {
            dissolve(owner, peer);
        } else {
            // It lost a part: whatever else is known of it is to be asked for again.
            owner.clear(PeerState.NIDS_UPTODATE);
        }
    }

    /** The NID that a peer was known by belongs to another one: what was a peer is a part of that one. */
    private void dissolve(Peer owner, Peer into) {
        for (PeerNi left : owner.nis()) {
            peers.removeNid(left);
        }
        owner.parked.drainTo(into.parked);
        into.waiters.addAll(owner.waiters);
        owner.waiters.clear();
        peers.forget(owner);
    }

    private void dropVanished(Peer peer, Map<Nid, Integer> announced) {
        for (PeerNi ni : peer.nis()) {
            if (!announced.containsKey(ni.nid()) && !ni.nid().isLoopback()) {
                if (peer.is(PeerState.CONFIGURED)) {
                    setStatus(ni, PingInfo.STATUS_DOWN);
                } else {
                    peers.removeNid(ni);
                }
            }
        }
    }

    private void setStatus(PeerNi ni, int status) {
        boolean wasUp = ni.isUp();
        ni.status = status;
        if (wasUp && !ni.isUp()) {
            health.lower(ni);
        } else if (!wasUp && ni.isUp()) {
            health.heardOf(ni);
        }
    }

    /** A peer turned out to be multi-rail: it knows us by any NID, no local NI is preferred any more. */
    public static void setMultiRail(Peer peer) {
        if (!peer.isMultiRail()) {
            peer.set(PeerState.MULTI_RAIL);
            for (PeerNet net : peer.nets) {
                net.preferred = null;
            }
        }
    }
}
