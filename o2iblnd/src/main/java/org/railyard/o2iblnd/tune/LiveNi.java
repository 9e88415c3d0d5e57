package org.railyard.o2iblnd.tune;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.DeviceAttributes;

/**
 * An NI of a node that runs, as the calculator needs to know it (spec 22 mod-045): its settings, its devices, and what
 * it has agreed on with its peers. Immutable.
 *
 * @param nid its NID
 * @param tunables that it was given
 * @param interfaces in order, at least one; several if it is a group
 * @param peers that it knows; connected or not
 */
public record LiveNi(Nid nid, Tunables tunables, List<Interface> interfaces, List<Peer> peers) {
    /** Copies the lists. */
    public LiveNi {
        if (interfaces.isEmpty()) {
            throw new IllegalArgumentException(nid + " without an interface");
        }
        interfaces = List.copyOf(interfaces);
        peers = List.copyOf(peers);
    }

    /**
     * An interface with its device.
     *
     * @param name for example {@code ib0}
     * @param device its name
     * @param attributes its limits
     * @param registration how memory is registered there
     */
    public record Interface(String name, String device, DeviceAttributes attributes, Registration registration) {}

    /**
     * A peer.
     *
     * @param nid its NID
     * @param routes to it, from one on when something was sent there
     */
    public record Peer(Nid nid, List<Route> routes) {
        /** Copies the list. */
        public Peer {
            routes = List.copyOf(routes);
        }
    }

    /**
     * A way to a peer.
     *
     * @param interfaceName where it begins
     * @param address where it ends, for people
     * @param extra whether only the peer uses it
     * @param connections how many are up
     * @param protocol version of the protocol, 1 or 2
     * @param agreed limits of the connections; null if none is up
     */
    public record Route(
            String interfaceName,
            String address,
            boolean extra,
            int connections,
            int protocol,
            @Nullable ConnectionParameters agreed) {}

    /** Who keeps a connection from being deeper than it is. */
    public enum Bound {
        /** The settings of this node; the peer allows as much, and perhaps more. */
        THIS_NODE("this node"),
        /** The device of this node. */
        DEVICE("device"),
        /** Version 1 of the protocol, which has one depth only. */
        PROTOCOL("protocol 1"),
        /** The peer. */
        PEER("peer");

        private final String text;

        Bound(String text) {
            this.text = text;
        }

        /** Returns its name for people. */
        public String text() {
            return text;
        }
    }

    /** Returns the interface whose device has the smallest queues: what fits there fits everywhere. */
    public Interface tightest() {
        return interfaces.stream()
                .min(Comparator.comparingInt((Interface each) -> each.attributes.maxQpWr())
                        .thenComparingInt(each -> each.attributes.maxCqe()))
                .orElseThrow();
    }

    /** Returns the interface of a route; the tightest one if it has gone meanwhile. */
    public Interface interfaceOf(Route route) {
        return interfaces.stream()
                .filter(each -> each.name.equals(route.interfaceName))
                .findFirst()
                .orElseGet(this::tightest);
    }

    /** Returns what other tunables would become on this node. */
    public static EffectiveTunables effective(Tunables other) {
        return new EffectiveTunables(other, LustreRelease.NOW, Kib.V2, false);
    }

    private static EffectiveTunables effective(Tunables other, Route route) {
        return new EffectiveTunables(other, LustreRelease.NOW, route.protocol == 1 ? Kib.V1 : Kib.V2, false);
    }

    /** Returns what this node would give a connection if the peer allowed everything. */
    private static QueueSizing own(Interface on, Tunables tunables) {
        EffectiveTunables effective = effective(tunables);
        return QueueSizing.of(
                effective,
                effective.offeredQueueDepth(),
                effective.offeredFragments(),
                on.registration.workRequests(),
                on.attributes);
    }

    /**
     * Tells who bounds the queue depth of a route that is connected.
     *
     * @throws IllegalArgumentException if it is not
     */
    public Bound bound(Route route) {
        QueueSizing own = own(interfaceOf(route), tunables);
        if (route.protocol == 1 && agreed(route).queueDepth() == Kib.V1_QUEUE_DEPTH) {
            return Bound.PROTOCOL;
        }
        if (agreed(route).queueDepth() < own.queueDepth()) {
            return Bound.PEER;
        }
        return own.queueDepth() < own.askedQueueDepth() ? Bound.DEVICE : Bound.THIS_NODE;
    }

    private static ConnectionParameters agreed(Route route) {
        ConnectionParameters agreed = route.agreed;
        if (agreed == null) {
            throw new IllegalArgumentException("no connection to " + route.address);
        }
        return agreed;
    }

    /**
     * Returns the queues that each connection of a route has.
     *
     * @throws IllegalArgumentException if it has no connections
     */
    public QueueSizing sizing(Route route) {
        return sizing(route, tunables, agreed(route));
    }

    private QueueSizing sizing(Route route, Tunables with, ConnectionParameters limits) {
        Interface on = interfaceOf(route);
        return QueueSizing.of(
                effective(with, route),
                limits.queueDepth(),
                limits.maxFragments(),
                on.registration.workRequests(),
                on.attributes);
    }

    /**
     * Returns the queues that a connection of a route would have with other tunables of this node. A peer that bounds
     * the queue depth now bounds it then; what another one allows beyond what was asked is not known, and taken as
     * enough.
     *
     * @throws IllegalArgumentException if the route has no connections
     */
    public QueueSizing sizing(Route route, Tunables other) {
        EffectiveTunables then = effective(other, route);
        ConnectionParameters agreed = agreed(route);
        int depth = bound(route) == Bound.PEER
                ? Math.min(agreed.queueDepth(), then.offeredQueueDepth())
                : then.offeredQueueDepth();
        return sizing(route, other, ConnectionParameters.of(depth, agreed.maxFragments()));
    }

    /**
     * Returns what the peers have for the calculator: the tunables of this node, with no more credits than the most
     * generous of them allows, if all are known to allow less.
     *
     * @param own tunables of this node
     */
    public Tunables peerTunables(Tunables own) {
        List<Route> connected = connected();
        boolean all = !connected.isEmpty()
                && peers.stream().allMatch(peer -> peer.routes.stream().anyMatch(route -> route.agreed != null))
                && connected.stream().allMatch(route -> bound(route) == Bound.PEER || bound(route) == Bound.PROTOCOL);
        if (!all) {
            return own;
        }
        int most = connected.stream()
                .mapToInt(route -> agreed(route).queueDepth())
                .max()
                .orElseThrow();
        // Credits cut peer_credits to below 8, which peer_credits alone can not.
        return own.with(O2ibTunable.PEER_CREDITS, most)
                .with(O2ibTunable.CREDITS, Math.min(most, own.get(O2ibTunable.CREDITS)))
                .with(O2ibTunable.CONCURRENT_SENDS, 0)
                .with(O2ibTunable.PEER_CREDITS_HIW, 0);
    }

    private List<Route> connected() {
        return peers.stream()
                .flatMap(peer -> peer.routes.stream())
                .filter(route -> route.agreed != null)
                .toList();
    }

    /** Returns the routes to the peer that has most of them; without peers, those that an unknown one would have. */
    private int routesPerPeer() {
        return peers.stream()
                .mapToInt(peer ->
                        (int) peer.routes.stream().filter(route -> !route.extra).count())
                .filter(routes -> routes > 0)
                .max()
                .orElse(interfaces.size());
    }

    /** Returns the question of what this NI leads to. Without peers, one is assumed. */
    public Scene scene() {
        Interface tightest = tightest();
        return Scene.DEFAULT
                .withTunables(tunables)
                .withPeerTunables(peerTunables(tunables))
                .withDevice(tightest.attributes)
                .withRegistration(tightest.registration)
                .withCounts(Math.max(1, peers.size()), Math.min(Scene.MAX_ROUTES, routesPerPeer()), 1);
    }

    /** Returns what there is: sums over the connections that are up. */
    public List<Figure> figures() {
        CalculatedFigures figures = new CalculatedFigures();
        long count = 0;
        long sends = 0;
        long receives = 0;
        long entries = 0;
        long bytes = 0;
        long peersUp = peers.stream()
                .filter(peer -> peer.routes.stream().anyMatch(route -> route.agreed != null))
                .count();
        for (Route route : connected()) {
            QueueSizing sizing = sizing(route);
            count += route.connections;
            sends += (long) route.connections * sizing.sendRequests();
            receives += (long) route.connections * sizing.receives();
            entries += (long) route.connections * sizing.entries();
            bytes += route.connections * sizing.receiveBytes();
        }
        figures.add(Figure.Scope.LIVE, "peers", peers.size(), "peers known");
        figures.add(Figure.Scope.LIVE, "peers_connected", peersUp, "peers with a connection");
        figures.add(Figure.Scope.LIVE, "connections", count, "connections");
        figures.add(Figure.Scope.LIVE, "send_work_requests", sends, "work requests");
        figures.add(Figure.Scope.LIVE, "receive_work_requests", receives, "work requests");
        figures.add(Figure.Scope.LIVE, "cq_entries", entries, "entries");
        figures.add(Figure.Scope.LIVE, "receive_bytes", bytes, "bytes");
        return figures.all();
    }
}
