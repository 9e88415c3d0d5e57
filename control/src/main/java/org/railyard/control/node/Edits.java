package org.railyard.control.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.NiGroups;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NiTuning;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** The changes of a node, each noted in a journal with how to take it back. */
final class Edits {
    private final LNet lnet;
    private final UndoLog journal;

    Edits(LNet lnet, UndoLog journal) {
        this.lnet = lnet;
        this.journal = journal;
    }

    LNet lnet() {
        return lnet;
    }

    UndoLog journal() {
        return journal;
    }

    Nid addNi(NiRequest request) {
        Net net = request.net();
        if (lnet.inventory().nis().stream().anyMatch(ni -> ni.nid().isOn(net))) {
            requireMultiRail("a second NI of the net " + net);
        }
        Nid nid = lnet.addNi(request);
        journal.did(() -> {
            // Peers may be configured before there is an NI that reaches them; what is noted now is taken back next.
            List<PeerInfo> peers = configuredPeers();
            lnet.removeNi(nid);
            notePeersLost(peers);
        });
        return nid;
    }

    /** With the last NI of a net go the routes that begin there and the peers that nothing else reaches. */
    void removeNi(NiInfo ni) {
        NiRequest again = requestOf(ni);
        int health = ni.health();
        // By the first one peers call this node.
        int place = lnet.inventory().nis().stream().map(NiInfo::nid).toList().indexOf(ni.nid());
        List<RouteInfo> routes = lnet.routes().list();
        List<PeerInfo> peers = configuredPeers();
        lnet.removeNi(ni.nid());
        // Taken back are the NI first, the peers, and then the routes: a gateway can not be configured any more.
        noteRoutesLost(routes);
        notePeersLost(peers);
        journal.did(() -> {
            lnet.addNi(again, place);
            lnet.setHealth(ni.nid(), health);
        });
    }

    /** A route to a net through a gateway, whatever else is known of it. */
    private record Way(Net net, Nid gateway) {
        static Way of(RouteInfo route) {
            return new Way(route.net(), route.gateway());
        }
    }

    private void noteRoutesLost(List<RouteInfo> before) {
        Set<Way> left = lnet.routes().list().stream().map(Way::of).collect(Collectors.toSet());
        before.reversed().stream()
                .filter(route -> !left.contains(Way.of(route)))
                .forEach(route -> journal.did(() -> addAgain(route)));
    }

    private void addAgain(RouteInfo route) {
        lnet.routes().add(route.net(), route.gateway(), route.hops(), route.priority());
    }

    private List<PeerInfo> configuredPeers() {
        return lnet.peers().stream().filter(PeerInfo::isConfigured).toList();
    }

    /** A peer that is still reached may have lost its name: its primary NID. */
    private void notePeersLost(List<PeerInfo> before) {
        Set<Nid> left = configuredPeers().stream().map(PeerInfo::primaryNid).collect(Collectors.toSet());
        before.reversed().stream()
                .filter(peer -> !left.contains(peer.primaryNid()))
                .forEach(peer -> journal.did(() -> restorePeer(peer)));
    }

    /** Returns what an NI would be asked for with again. */
    private NiRequest requestOf(NiInfo ni) {
        NiTuning tuning = lnet.inventory().tuning(ni.nid());
        NiRequest request = NiRequest.ofNid(ni.nid());
        if (NiGroups.isGroup(ni.interfaceName(), tuning.lnd())) {
            // The interfaces of a group do not follow from its NID, nor the NID from the interfaces once the first has
            // left.
            request = NiRequest.ofInterface(ni.nid().net(), ni.interfaceName()).withNid(ni.nid());
        }
        return request.withTunables(tuning.net())
                .withLndTunables(tuning.wanted())
                .withCpts(ni.cpts());
    }

    void tune(Nid nid, Map<String, Integer> changes) {
        Map<String, Integer> before = lnet.inventory().tuning(nid).wanted();
        lnet.inventory().tune(nid, changes);
        journal.did(() -> lnet.inventory().tune(nid, before));
    }

    void setHealth(NiInfo ni, int health) {
        lnet.setHealth(ni.nid(), health);
        journal.did(() -> lnet.setHealth(ni.nid(), ni.health()));
    }

    void setCpts(NiInfo ni, List<Integer> cpts) {
        lnet.selection().setNiCpts(ni.nid(), cpts);
        journal.did(() -> lnet.selection().setNiCpts(ni.nid(), ni.cpts()));
    }

    void set(Tunable tunable, int value) {
        int before = lnet.settings().get(tunable);
        int retries = lnet.settings().get(Tunable.RETRY_COUNT);
        if (before == value) {
            return;
        }
        if (tunable == Tunable.DISCOVERY && value != 0) {
            requireMultiRail("discovery");
        }
        lnet.set(tunable, value);
        journal.did(() -> {
            lnet.set(tunable, before);
            if (tunable == Tunable.HEALTH_SENSITIVITY) {
                lnet.set(Tunable.RETRY_COUNT, retries);
            }
        });
    }

    /**
     * Without multi-rail a node is what nodes were before: one NI of a net, peers of one NID, no discovery, no
     * selection rules.
     */
    private void requireMultiRail(String what) {
        if (!lnet.settings().is(Tunable.MULTI_RAIL)) {
            throw new ErrnoException(
                    Errno.EOPNOTSUPP,
                    what + " needs multi-rail, which this node was started without; start it without multi_rail=0");
        }
    }

    void addUdsp(UdspRule rule, int index) {
        requireMultiRail("a selection rule");
        List<UdspRule> before = lnet.selection().udsp();
        lnet.selection().addUdsp(rule, index);
        journal.did(() -> restoreUdsp(before));
    }

    void deleteUdsp(int index) {
        List<UdspRule> before = lnet.selection().udsp();
        lnet.selection().deleteUdsp(index);
        journal.did(() -> restoreUdsp(before));
    }

    void clearUdsp() {
        List<UdspRule> before = lnet.selection().udsp();
        lnet.selection().clearUdsp();
        journal.did(() -> restoreUdsp(before));
    }

    private void restoreUdsp(List<UdspRule> before) {
        lnet.selection().clearUdsp();
        before.forEach(rule -> lnet.selection().addUdsp(rule, -1));
    }

    void addBond(Bond bond) {
        lnet.bonds().add(bond, -1);
        journal.did(() -> lnet.bonds().delete(bond.name()));
    }

    void changeBond(Bond bond) {
        Bond before = lnet.bonds().find(bond.name());
        lnet.bonds().change(bond);
        journal.did(() -> lnet.bonds().change(before));
    }

    void deleteBond(String name) {
        Bond before = lnet.bonds().find(name);
        int index = lnet.bonds().list().indexOf(before);
        lnet.bonds().delete(name);
        journal.did(() -> lnet.bonds().add(before, index));
    }

    void addPeer(Nid primary, List<Nid> nids, boolean multiRail, boolean lock) {
        if (multiRail || nids.stream().anyMatch(nid -> !nid.equals(primary))) {
            requireMultiRail("a multi-rail peer");
        }
        Optional<PeerInfo> before = lnet.inventory().peer(primary);
        lnet.peerConfiguration().add(primary, nids, multiRail, lock);
        journal.did(() -> restorePeer(primary, before));
    }

    void deletePeer(Nid primary, List<Nid> nids, boolean force) {
        PeerInfo before = lnet.inventory()
                .peer(primary)
                .orElseThrow(() -> new ErrnoException(Errno.ENOENT, "there is no peer with the NID " + primary));
        lnet.peerConfiguration().delete(primary, nids, force);
        journal.did(() -> restorePeer(before));
    }

    void addRoute(Net net, Nid gateway, int hops, int priority) {
        boolean forwarded = lnet.routing().state().forwards();
        boolean known = lnet.inventory().peer(gateway).isPresent();
        lnet.routes().add(net, gateway, hops, priority);
        journal.did(() -> {
            lnet.routes().delete(net, gateway);
            if (!known) {
                forgetGateway(gateway);
            }
            if (!forwarded && lnet.routing().state().forwards()) {
                // The gateway was this node itself.
                lnet.routing().disable();
            }
        });
    }

    /** The peer that a route made stays when the route is deleted, but not when it is taken back. */
    private void forgetGateway(Nid gateway) {
        lnet.inventory()
                .peer(gateway)
                .filter(peer -> !peer.isConfigured())
                .filter(peer -> lnet.routes().gateways().stream()
                        .noneMatch(each -> each.primaryNid().equals(peer.primaryNid())))
                .ifPresent(peer -> lnet.peerConfiguration().delete(peer.primaryNid(), true));
    }

    void deleteRoute(Net net, Nid gateway) {
        List<RouteInfo> before = lnet.routes().list();
        lnet.routes().delete(net, gateway);
        noteRoutesLost(before);
    }

    void setForwarding(boolean on) {
        if (on) {
            boolean was = lnet.routing().state().isOn();
            lnet.routing().enable();
            if (!was) {
                journal.did(lnet.routing()::disable);
            }
        } else if (lnet.routing().state().isOn()) {
            lnet.routing().disable();
            journal.did(lnet.routing()::resume);
        }
    }

    void setPeerHealth(Nid nid, int before, int health) {
        lnet.setPeerHealth(nid, health);
        journal.did(() -> lnet.setPeerHealth(nid, before));
    }

    void setPeerState(PeerInfo peer, int state) {
        lnet.peerConfiguration().setState(peer.primaryNid(), state);
        // What was under way then is not now.
        journal.did(() -> lnet.peerConfiguration().setState(peer.primaryNid(), peer.state() & PeerState.LASTING));
    }

    private void restorePeer(PeerInfo before) {
        restorePeer(before.primaryNid(), Optional.of(before));
    }

    /**
     * Makes the peer with a NID what it was, if it was there. One that was only known from the network comes back from
     * there; the routes through one that is there by another name stay.
     */
    private void restorePeer(Nid nid, Optional<PeerInfo> before) {
        List<RouteInfo> routes =
                lnet.inventory().peer(nid).map(now -> forget(now.primaryNid())).orElse(List.of());
        try {
            before.filter(PeerInfo::isConfigured).ifPresent(this::addPeerAgain);
        } finally {
            routes.forEach(this::addAgain);
        }
    }

    private void addPeerAgain(PeerInfo peer) {
        List<Nid> nids = peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList();
        lnet.peerConfiguration().add(peer.primaryNid(), nids, peer.multiRail(), peer.isLocked());
    }

    /** Forgets a peer; returns the routes through it, which go first. */
    private List<RouteInfo> forget(Nid primary) {
        List<RouteInfo> routes = lnet.routes().list().stream()
                .filter(route -> route.primaryNid().equals(primary))
                .toList();
        if (!routes.isEmpty()) {
            lnet.routes().deleteAll(primary);
        }
        lnet.peerConfiguration().delete(primary, true);
        return routes;
    }
}
