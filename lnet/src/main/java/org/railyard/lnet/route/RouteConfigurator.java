package org.railyard.lnet.route;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.peer.PeerTable;
import org.railyard.lnet.wire.PingInfo;

/** Routes by configuration; the contract is {@link org.railyard.lnet.api.Routes}. */
public final class RouteConfigurator {
    /** Most hops of a route. */
    public static final int MAX_HOPS = 255;

    private final StateLock lock;
    private final RouteTable routes;
    private final NiTable nis;
    private final PeerTable peers;
    private final Supplier<Settings> settings;
    private final NodeClock clock;
    private final RandomGenerator random;

    /**
     * Makes a configurator of a table.
     *
     * @param lock guards the tables
     * @param settings returns the tunables as they are now
     * @param random says where among others a new route goes, so that nodes with one configuration do not all begin
     *     with the same
     */
    public RouteConfigurator(
            StateLock lock,
            RouteTable routes,
            NiTable nis,
            PeerTable peers,
            Supplier<Settings> settings,
            NodeClock clock,
            RandomGenerator random) {
        this.lock = lock;
        this.routes = routes;
        this.nis = nis;
        this.peers = peers;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /** Adds a route; its gateway is due for a check. */
    public Route add(Net net, Nid named, int hops, int priority) {
        lock.assertHeld();
        requireSane(net, named, hops, priority);
        if (nis.net(net) != null) {
            throw new ErrnoException(
                    Errno.EEXIST, net + " is a local net; a route leads to nets that this node is not on");
        }
        if (nis.netOf(named) == null) {
            throw new ErrnoException(
                    Errno.EHOSTUNREACH, "gateway " + named + " can not be reached: there is no NI on " + named.net());
        }
        if (nis.find(named) != null) {
            throw new ErrnoException(
                    Errno.EINVAL, "gateway " + named + " is this node itself; turn routing on instead");
        }
        if (routes.size() >= RouteTable.MAX_ROUTES || routes.to(net).size() >= RouteTable.MAX_ROUTES_TO_A_NET) {
            throw new ErrnoException(
                    Errno.ENOSPC,
                    "there are " + routes.size() + " routes, " + routes.to(net).size() + " of them to " + net
                            + "; the limits are " + RouteTable.MAX_ROUTES + " and " + RouteTable.MAX_ROUTES_TO_A_NET);
        }
        requireUnnamed(net, named);
        Gateway gateway = gatewayOf(net, named);
        Route route = new Route(net, named, gateway, hops, priority, clock.nanoTime());
        routes.add(route, random.nextInt(routes.to(net).size() + 1));
        gateway.peer.nets.forEach(each -> each.checkPlanned = false);
        return route;
    }

    private static void requireSane(Net net, Nid named, int hops, int priority) {
        if (net.equals(Net.LO) || net.equals(Nid.ANY.net())) {
            throw new ErrnoException(Errno.EINVAL, "no route can lead to " + net + "; name the net of another node");
        }
        String why = named.whyNotCalled();
        if (why != null) {
            throw new ErrnoException(
                    Errno.EINVAL, named + " can not be a gateway, it " + why + "; name a NID of another node");
        }
        if (named.isOn(net)) {
            throw new ErrnoException(
                    Errno.EINVAL, "gateway " + named + " is on " + net + " itself; name its NID on a net of this node");
        }
        if (hops != Route.UNDEFINED_HOPS && (hops < 1 || hops > MAX_HOPS)) {
            throw new ErrnoException(Errno.EINVAL, hops + " hops; expected 1…" + MAX_HOPS);
        }
        if (priority < 0) {
            throw new ErrnoException(Errno.EINVAL, "priority " + priority + "; expected 0 or more, 0 is best");
        }
    }

    /**
     * A route stays with its gateway when the NID that it names goes to another peer; one more by that NID could not be
     * told from it.
     */
    private void requireUnnamed(Net net, Nid named) {
        Route route = routes.find(net, named);
        if (route != null) {
            PeerNi ni = peers.find(named);
            boolean moved = ni == null || ni.peer() != route.gateway.peer;
            throw new ErrnoException(
                    Errno.EEXIST,
                    "there is a route to " + net + " through " + route.gateway + " already"
                            + (moved ? ", by " + named + ", which was its NID then" : ""));
        }
    }

    private Gateway gatewayOf(Net net, Nid named) {
        PeerNi ni = peers.findOrCreate(named, null);
        if (ni == null) {
            throw new ErrnoException(
                    Errno.ENOMEM,
                    "no room for another peer; the limit is " + PeerTable.MAX_PEER_NIS + " NIDs of peers");
        }
        Peer peer = ni.peer();
        Gateway known = peer.gateway;
        if (known == null) {
            known = new Gateway(peer, clock.nanoTime());
            peer.gateway = known;
            if (settings.get().is(Tunable.CHECK_ROUTERS_BEFORE_USE)) {
                known.unproven = true;
                known.setAlive(false, clock.nanoTime());
                peer.nis().forEach(each -> each.status = PingInfo.STATUS_DOWN);
            }
        } else if (RouteTable.find(net, known) != null) {
            throw new ErrnoException(Errno.EEXIST, "there is a route to " + net + " through " + peer + " already");
        }
        return known;
    }

    /**
     * Deletes routes.
     *
     * @param net where to, null for any net
     * @param gateway any NID of the gateway, or one that the routes were added by and that it no longer has; null for
     *     any gateway
     * @return how many there were
     */
    public int delete(@Nullable Net net, @Nullable Nid gateway) {
        lock.assertHeld();
        List<Route> candidates = net == null ? routes.all() : List.copyOf(routes.to(net));
        if (net != null && candidates.isEmpty()) {
            throw new ErrnoException(Errno.ENOENT, "there is no route to " + net);
        }
        if (gateway == null) {
            return remove(candidates, route -> true);
        }
        PeerNi ni = peers.find(gateway);
        int deleted = ni == null ? 0 : remove(candidates, route -> route.gateway == ni.peer().gateway);
        // Its NID may have gone, or to another node, since the route was added; it is still shown with that one.
        return deleted > 0 ? deleted : remove(candidates, route -> route.named().equals(gateway));
    }

    private int remove(List<Route> candidates, Predicate<Route> which) {
        int removed = 0;
        for (Route route : candidates) {
            if (which.test(route)) {
                routes.remove(route);
                removed++;
            }
        }
        return removed;
    }

    /** Says what of a new route works worse than it could; empty for nothing. */
    public List<String> advice(Route route) {
        boolean discovers =
                settings.get().is(Tunable.DISCOVERY) && settings.get().is(Tunable.MULTI_RAIL);
        boolean vague = settings.get().is(Tunable.AVOID_ASYM_ROUTER_FAILURE) && route.hops() == Route.UNDEFINED_HOPS;
        String head = "route to " + route.net() + " by " + route.named() + ": ";
        if (!discovers) {
            return List.of(head + "discovery is off, so only this NID of the gateway will be used; turn it on for all");
        }
        return vague
                ? List.of(
                        head + "hops are not given, so that its far side counts only once the gateway has said that it"
                                + " is there; give 1 hop if it is")
                : List.of();
    }
}
