package org.railyard.lnet.select;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.route.RouteTable;
import org.railyard.lnet.sim.HeldLock;
import org.railyard.lnet.sim.NoLnd;
import org.railyard.lnet.udsp.Policy;

/** Local NIs and peers as selection sees them, without a node around them. NIDs are written {@code 10.0.0.1@tcp}. */
final class Rails {
    final CptTable cpts;
    final Policy policy = new Policy();
    final NiTable nis = new NiTable(policy);
    final RouteTable routes = new RouteTable(HeldLock.make());
    final PathSelector selector;
    final List<Peer> peers = new ArrayList<>();
    Settings settings = Settings.of(CompatProfile.DOCUMENTS);
    int cpu = -1;
    private final Map<Nid, PeerNi> byNid = new LinkedHashMap<>();

    Rails() {
        this(CpuLayout.UNKNOWN);
    }

    Rails(CpuLayout layout) {
        cpts = CptTable.of(layout, 0, "N");
        selector = new PathSelector(nis, byNid::get, routes, cpts, policy, () -> cpu);
    }

    LocalNi local(String text) {
        return local(text, CptTable.ANY);
    }

    LocalNi local(String text, int deviceCpt) {
        Nid nid = Nid.parse(text);
        LocalNet net = nis.netOf(nid);
        if (net == null) {
            net = new LocalNet(nid.net(), NetTunables.DEFAULT);
        }
        LocalNi ni = new LocalNi(net, new NiBinding(nid, "test0", -1), new NoLnd(), Map.of(), deviceCpt, cpts.all());
        ni.become(LocalNi.State.ACTIVE);
        nis.add(ni, Integer.MAX_VALUE);
        return ni;
    }

    /** A multi-rail peer. */
    Peer peer(String... nids) {
        Peer peer = old(nids);
        peer.set(PeerState.MULTI_RAIL);
        return peer;
    }

    /** A peer that is not multi-rail. */
    Peer old(String... nids) {
        Peer peer = new Peer(Nid.parse(nids[0]));
        peers.add(peer);
        for (String text : nids) {
            Nid nid = Nid.parse(text);
            PeerNet net = peer.net(nid.net());
            if (net == null) {
                net = new PeerNet(nid.net(), peer);
                peer.nets.add(net);
                policy.apply(net);
            }
            PeerNi ni = new PeerNi(nid, net, NetTunables.DEFAULT.peerCredits());
            net.nis.add(ni);
            byNid.put(nid, ni);
            policy.apply(ni);
        }
        return peer;
    }

    /** A route through the peer that has a NID; the peer forwards, and is on the net if it has a NID there. */
    Route route(String net, String gateway, int hops, int priority) {
        PeerNi ni = peerNi(gateway);
        Peer peer = ni.peer();
        if (peer.gateway == null) {
            peer.gateway = new Gateway(peer, 0);
        }
        peer.set(PeerState.ROUTER_ENABLED);
        Route route = new Route(Net.parse(net), ni.nid(), peer.gateway, hops, priority, 0);
        routes.add(route, routes.to(route.net()).size());
        return route;
    }

    Route route(String net, String gateway) {
        return route(net, gateway, Route.UNDEFINED_HOPS, 0);
    }

    PeerNi peerNi(String text) {
        PeerNi ni = byNid.get(Nid.parse(text));
        if (ni == null) {
            throw new AssertionError("no peer NI " + text);
        }
        return ni;
    }

    LocalNi ni(String text) {
        LocalNi ni = nis.find(Nid.parse(text));
        if (ni == null) {
            throw new AssertionError("no NI " + text);
        }
        return ni;
    }

    LocalNet here(PeerNet net) {
        LocalNet here = nis.net(net.net());
        if (here == null) {
            throw new AssertionError("no local net " + net.net());
        }
        return here;
    }

    void rule(UdspRule rule) {
        policy.add(rule, -1);
        policy.apply(nis.nets(), peers);
    }

    /** Makes a bond of NIDs of this node. */
    void bond(String name, BondPolicy policy, String... nids) {
        bond(Bond.Kind.LOCAL, name, policy, nids);
    }

    /** Makes a bond of NIDs of a peer. */
    void remoteBond(String name, BondPolicy policy, String... nids) {
        bond(Bond.Kind.REMOTE, name, policy, nids);
    }

    private void bond(Bond.Kind kind, String name, BondPolicy policy, String... nids) {
        nis.bonds()
                .add(
                        new Bond(
                                name,
                                kind,
                                policy,
                                Arrays.stream(nids).map(Nid::parse).toList()),
                        -1);
        nis.all().forEach(nis.bonds()::apply);
        byNid.values().forEach(nis.bonds()::apply);
    }

    void set(Tunable tunable, boolean on) {
        settings = settings.with(tunable, on);
    }

    /** A PUT from any source. */
    static Message put(String target) {
        return put("*", target);
    }

    static Message put(String source, String target) {
        Message message = unsent(source, target);
        message.become(Role.REQUEST);
        return message;
    }

    /** A PUT that is to get another role than that of a request. */
    static Message unsent(String source, String target) {
        Message message = new Message();
        message.header().setPut(8, Wire.NO_COOKIE, Wire.NO_COOKIE, 33, 0, 0, 0);
        message.path().request(source.equals("*") ? Nid.ANY : Nid.parse(source), Nid.parse(target));
        return message;
    }

    /** A PUT of memory near to a CPU partition. */
    static Message putFrom(int cpt, String target) {
        Message message = put(target);
        message.setMd(
                new MemoryDescriptor(MdConfig.of(Arena.ofAuto().allocate(8)).withCpt(cpt), md -> {}));
        return message;
    }

    /** A PUT of another node that is passed on. */
    static Message forwarded(String origin, String target) {
        Message message = unsent("*", target);
        message.become(Role.FORWARD_IN);
        message.become(Role.FORWARD_OUT);
        message.header().setRoute(message.path().requestedTarget(), 1, Nid.parse(origin), 1);
        return message;
    }

    /** The answer to a request that came from a target to one of our NIDs. */
    static Message response(String source, String target) {
        Message message = unsent(source, target);
        message.become(Role.RESPONSE);
        return message;
    }

    /**
     * Chooses; returns the way as last parts of the addresses, for example {@code 0.1>0.2}, or the name of the error.
     */
    String choose(Message message) {
        PeerNi target = byNid.get(message.path().requestedTarget());
        if (target == null) {
            throw new AssertionError("no peer NI " + message.path().requestedTarget());
        }
        int status = selector.select(message, target, settings);
        return status < 0 ? Errno.ofStatus(status).name() : way(message.ni(), message.peerNi());
    }

    /** Chooses, and says only how that went. */
    int status(Message message, PeerNi target) {
        return selector.select(message, target, settings);
    }

    private static String way(@Nullable LocalNi from, @Nullable PeerNi to) {
        return from == null || to == null ? "nothing" : brief(from.nid()) + ">" + brief(to.nid());
    }

    /** {@code 10.0.1.2@tcp} becomes 1.2, {@code 10.1.0.2@tcp1} becomes 0.2@1. */
    static String brief(Nid nid) {
        return nid.toString()
                .replaceFirst("^10\\.\\d+\\.(\\d+\\.\\d+)@tcp", "$1@")
                .replaceFirst("@$", "");
    }

    /** Sends PUTs one after the other; returns their ways. */
    List<String> choose(String target, int count) {
        List<String> ways = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ways.add(choose(put(target)));
        }
        return ways;
    }

    /** Fails a message on the way that it was sent, and chooses again. */
    String again(Message message) {
        if (message.ni() != null && message.peerNi() != null) {
            message.path().failed(message.ni(), message.peerNi());
        } else {
            message.path().retried();
        }
        return choose(message);
    }

    Explanation explain(Message message) {
        return selector.explain(message, peerNi(message.path().requestedTarget().toString()), settings, 0);
    }
}
