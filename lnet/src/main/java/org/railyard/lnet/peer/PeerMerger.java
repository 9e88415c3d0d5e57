package org.railyard.lnet.peer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.health.HealthTable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;

/** What a node's announcement of itself changes in the peer table (spec 11 §4). Configuration wins over discovery. */
public final class PeerMerger {
    private static final int MAX_NIDS_SHOWN = 8;
    private static final int HELD = PeerState.CONFIGURED | PeerState.LOCK_PRIMARY;

    private final PeerTable peers;
    private final HealthTable health;
    private final Membership membership;
    private final ProblemListener complaints;

    /**
     * Makes a merger for a table.
     *
     * @param health notes what peers say of their NIs
     * @param complaints takes what is wrong with an announcement, in words
     */
    public PeerMerger(PeerTable peers, HealthTable health, ProblemListener complaints) {
        this.peers = peers;
        this.health = health;
        this.membership = new Membership(peers, complaints);
        this.complaints = complaints;
    }

    /**
     * Takes an announcement in.
     *
     * @param from the peer that it came from
     * @param info the announcement
     * @param discoveryOn whether discovery is on here
     * @return the peer that the announcement turned out to be about: {@code from}, or the one that owned its primary
     *     NID already
     */
    public Peer merge(Peer from, PingInfo info, boolean discoveryOn) {
        complainOfLinkLocals(from, info);
        Nid primary = primaryOf(info);
        if (primary == null || primary.whyNobodys() != null) {
            return from;
        }
        complainOfOwnNids(from, info);
        boolean off = !discoveryOn || from.is(PeerState.NO_DISCOVERY) || !from.isMultiRail();
        if (!off) {
            followUpperLayer(from);
        }
        if (primary.equals(from.primaryNid) || (off && announces(info, from.primaryNid))) {
            mergeInto(from, info, off);
            return from;
        }
        PeerNi owner = peers.find(primary);
        if (owner == null || owner.peer() == from || from.primaryNid.isLoopback()) {
            rename(from, primary, off);
            mergeInto(from, info, off);
            return from;
        }
        return handOver(from, owner.peer(), info, off, primary);
    }

    /** Who has NIDs of ours only is ourselves, or a program beside this one; with another one it is another node. */
    private void complainOfOwnNids(Peer from, PingInfo info) {
        List<Nid> ours = new ArrayList<>();
        boolean another = false;
        for (PingInfo.Entry entry : info.entries()) {
            if (peers.isOwn(entry.nid())) {
                ours.add(entry.nid());
            } else {
                another |= entry.nid().whyNotCalled() == null;
            }
        }
        if (another && !ours.isEmpty()) {
            complaints.complain(
                    System.Logger.Level.WARNING,
                    "duplicate",
                    "peer " + from + " says that it has " + shown(ours)
                            + ", as this node does: answers go to one or the"
                            + " other. 'lnetctl doctor --probe' tells more; give one of the two another address, or"
                            + " delete the NI there");
        }
    }

    /** Returns the NID that a node is known by: if its first can not be called, by the next that can be. */
    private static @Nullable Nid primaryOf(PingInfo info) {
        Nid first = info.primary();
        if (first == null || !isLinkLocal(first)) {
            return first;
        }
        return info.entries().stream()
                .map(PingInfo.Entry::nid)
                .filter(nid -> nid.whyNotCalled() == null)
                .findFirst()
                .orElse(null);
    }

    private static boolean isLinkLocal(Nid nid) {
        return nid.whyNobodys() == null && nid.whyNotCalled() != null;
    }

    private void complainOfLinkLocals(Peer from, PingInfo info) {
        List<Nid> ignored = info.entries().stream()
                .map(PingInfo.Entry::nid)
                .filter(PeerMerger::isLinkLocal)
                .toList();
        if (!ignored.isEmpty()) {
            complaints.complain(
                    System.Logger.Level.WARNING,
                    "link-local",
                    "peer " + from + " announces the link-local " + shown(ignored)
                            + ", which can not be called without an interface; ignored. Give it a global or unique"
                            + " local address (fd00::/8) there");
        }
    }

    /** An upper layer said that this is a part of the node with a certain primary NID. */
    private void followUpperLayer(Peer from) {
        Nid wanted = from.mergeInto;
        from.mergeInto = null;
        if (wanted != null && !from.isAny(HELD) && membership.discovered(from, wanted) == 0) {
            peers.setPrimary(from, wanted);
        }
    }

    private void rename(Peer peer, Nid primary, boolean off) {
        if (off || peer.isAny(HELD)) {
            return;
        }
        if (membership.discovered(peer, primary) == 0 && !peer.is(PeerState.LOCK_PRIMARY)) {
            peers.setPrimary(peer, primary);
        }
    }

    private Peer handOver(Peer from, Peer other, PingInfo info, boolean off, Nid primary) {
        if (from.isMultiRail() && !other.is(PeerState.CONFIGURED)) {
            Membership.setMultiRail(other);
        }
        other.clear(PeerState.NO_DISCOVERY & ~from.state);
        other.pushSource = from.pushSource;
        other.pushTarget = from.pushTarget;
        boolean otherOff = off || other.is(PeerState.NO_DISCOVERY) || !other.isMultiRail();
        rename(other, primary, otherOff);
        mergeInto(other, info, otherOff);
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
            if (entry.nid().whyNotCalled() == null) {
                announced.put(entry.nid(), entry.status());
            }
        }
        if (!discoveryOff) {
            takeAnnounced(peer, announced);
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

    private void takeAnnounced(Peer peer, Map<Nid, Integer> announced) {
        List<Nid> refused = new ArrayList<>();
        for (Nid nid : announced.keySet()) {
            if (membership.discovered(peer, nid) < 0) {
                refused.add(nid);
            }
        }
        if (!refused.isEmpty()) {
            complaints.complain(
                    System.Logger.Level.WARNING,
                    "configuration",
                    "peer " + peer + " announces " + shown(refused)
                            + (peer.is(PeerState.CONFIGURED)
                                    ? ", which it is not configured with"
                                    : ", which other peers keep, or there is no room")
                            + "; the peer stays without");
        }
    }

    private static String shown(List<Nid> nids) {
        int more = nids.size() - MAX_NIDS_SHOWN;
        return more > 0 ? nids.subList(0, MAX_NIDS_SHOWN) + " and " + more + " more" : nids.toString();
    }

    private void dropVanished(Peer peer, Map<Nid, Integer> announced) {
        List<Nid> kept = new ArrayList<>();
        for (PeerNi ni : peer.nis()) {
            if (announced.containsKey(ni.nid()) || ni.nid().isLoopback()) {
                continue;
            }
            if (peer.is(PeerState.CONFIGURED) || ni.nid().equals(peer.primaryNid)) {
                kept.add(ni.nid());
                setStatus(ni, PingInfo.STATUS_DOWN);
            } else {
                peers.removeNid(ni);
            }
        }
        if (!kept.isEmpty()) {
            complaints.complain(
                    System.Logger.Level.WARNING,
                    "vanished",
                    "peer " + peer + " does not announce its NIDs " + shown(kept) + "; they stay, as down");
        }
    }

    private void setStatus(PeerNi ni, int status) {
        boolean wasUp = ni.isUp();
        ni.status = status;
        if (wasUp && !ni.isUp()) {
            health.lower(ni);
        } else if (!wasUp && ni.isUp()) {
            if (ni.everAlive) {
                health.found(ni);
            } else {
                // Never used, so nothing but its owner's word lowered it.
                health.revive(ni);
            }
        }
    }

    /**
     * Takes in whether a node says that it is multi-rail (spec 11 §3.1, step 4).
     *
     * @param announced what it says
     * @param possible whether discovery is on, on both sides
     */
    public void setMultiRail(Peer peer, boolean announced, boolean possible) {
        if (announced == peer.isMultiRail() || (announced && !possible)) {
            return;
        }
        if (peer.is(PeerState.CONFIGURED)) {
            complaints.complain(
                    System.Logger.Level.WARNING,
                    "multi-rail",
                    "peer " + peer + " is configured as " + describe(peer.isMultiRail()) + " and says that it is "
                            + describe(announced) + "; the configuration stays");
        } else if (!announced) {
            complaints.complain(
                    System.Logger.Level.ERROR,
                    "multi-rail",
                    "peer " + peer + " was multi-rail and says that it is not any more");
            peer.clear(PeerState.MULTI_RAIL);
        } else {
            Membership.setMultiRail(peer);
        }
    }

    private static String describe(boolean multiRail) {
        return multiRail ? "multi-rail" : "not multi-rail";
    }

    /**
     * A NID answered for another node than the peer it belongs to: makes it a peer of its own, of which nothing is
     * known, unless configuration or a lock keeps it, or the peer has no other NID.
     *
     * @return that peer, or null if the NID stays where it is
     */
    public @Nullable Peer splitOff(PeerNi ni) {
        Peer peer = ni.peer();
        List<PeerNi> all = peer.nis();
        boolean primary = ni.nid().equals(peer.primaryNid);
        if (all.size() == 1 || peer.is(PeerState.CONFIGURED) || (primary && peer.is(PeerState.LOCK_PRIMARY))) {
            return null;
        }
        if (primary) {
            peers.setPrimary(peer, all.get(1).nid());
        }
        return peers.moveOut(ni);
    }
}
