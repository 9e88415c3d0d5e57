package org.railyard.lnet.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.PeerWatcher;
import org.railyard.lnet.wire.PingInfo;

/**
 * The routes, found by the net that they lead to (spec 11 §6.1). Keeps that there is one route to a net through a
 * gateway at most, and that routes follow their gateway when its peer becomes a part of another one (spec 11 §6.2).
 */
public final class RouteTable implements PeerWatcher {
    /** Most routes. */
    public static final int MAX_ROUTES = 16_384;

    /** Most routes to one net: each is looked at for each message that goes there. */
    public static final int MAX_ROUTES_TO_A_NET = 1024;

    private final StateLock lock;
    private final Map<Net, List<Route>> byNet = new LinkedHashMap<>();
    private final List<Gateway> gateways = new ArrayList<>();
    private int size;

    /**
     * Makes an empty table.
     *
     * @param lock guards it, and all routes
     */
    public RouteTable(StateLock lock) {
        this.lock = lock;
    }

    /** Returns the routes to a net; empty if there are none. */
    public List<Route> to(Net net) {
        lock.assertHeld();
        List<Route> routes = byNet.get(net);
        return routes == null ? List.of() : routes;
    }

    /** Returns the number of routes. */
    public int size() {
        lock.assertHeld();
        return size;
    }

    /** Adds a route at a place among those to its net, 0…their number. */
    public void add(Route route, int place) {
        lock.assertHeld();
        byNet.computeIfAbsent(route.net(), net -> new ArrayList<>()).add(place, route);
        if (route.gateway.routes.isEmpty()) {
            gateways.add(route.gateway);
        }
        route.gateway.routes.add(route);
        size++;
    }

    /** Removes a route; a peer without routes is no gateway any more. */
    void remove(Route route) {
        lock.assertHeld();
        List<Route> routes = byNet.get(route.net());
        if (routes == null || !routes.remove(route)) {
            return;
        }
        size--;
        if (routes.isEmpty()) {
            byNet.remove(route.net());
        }
        Gateway gateway = route.gateway;
        gateway.routes.remove(route);
        if (gateway.routes.isEmpty()) {
            gateways.remove(gateway);
            gateway.peer.gateway = null;
            if (gateway.unproven) {
                // Down because it was to be checked before use: nobody checks it any more.
                gateway.peer.nis().forEach(ni -> ni.status = PingInfo.STATUS_UP);
            }
            gateway.peer.clear(PeerState.ROUTER_DISCOVERY | PeerState.ROUTER_DISCOVERED);
        }
    }

    /** A local net goes: the routes that begin there go with it. */
    public void netRemoved(Net near) {
        lock.assertHeld();
        for (Route route : all()) {
            if (route.near().equals(near)) {
                remove(route);
            }
        }
    }

    @Override
    public void removed(Peer gone, @Nullable Peer successor, int status) {
        lock.assertHeld();
        Gateway gateway = gone.gateway;
        if (gateway == null) {
            return;
        }
        if (successor == null) {
            List.copyOf(gateway.routes).forEach(this::remove);
        } else if (successor.gateway == null) {
            successor.gateway = gateway;
            gateway.peer = successor;
        } else {
            merge(gateway, successor.gateway);
        }
        gone.gateway = null;
    }

    /** Two gateways are one: of two routes to a net, the one that is preferred stays. */
    private void merge(Gateway gone, Gateway into) {
        for (Route route : List.copyOf(gone.routes)) {
            Route other = find(route.net(), into);
            if (other != null && !isBetter(route, other)) {
                remove(route);
                continue;
            }
            if (other != null) {
                into.routes.remove(other);
                to(other.net()).remove(other);
                size--;
            }
            gone.routes.remove(route);
            route.gateway = into;
            into.routes.add(route);
        }
        gateways.remove(gone);
    }

    private static boolean isBetter(Route one, Route other) {
        return one.priority() != other.priority()
                ? one.priority() < other.priority()
                : one.distance() < other.distance();
    }

    /** Returns the route to a net through a gateway, or null. Allocates nothing. */
    public static @Nullable Route find(Net net, Gateway gateway) {
        for (int i = 0; i < gateway.routes.size(); i++) {
            if (gateway.routes.get(i).net().equals(net)) {
                return gateway.routes.get(i);
            }
        }
        return null;
    }

    /** Returns the route to a net that names a NID, or null. Allocates nothing. */
    public @Nullable Route find(Net net, Nid named) {
        List<Route> routes = to(net);
        for (int i = 0; i < routes.size(); i++) {
            if (routes.get(i).named().equals(named)) {
                return routes.get(i);
            }
        }
        return null;
    }

    /** Returns all routes, net by net. */
    public List<Route> all() {
        lock.assertHeld();
        List<Route> all = new ArrayList<>();
        byNet.values().forEach(all::addAll);
        return all;
    }

    /** Returns the nets that routes lead to, in the order in which they became known. */
    public List<Net> nets() {
        lock.assertHeld();
        return List.copyOf(byNet.keySet());
    }

    /** Returns the gateways, in the order in which they became such. */
    public List<Gateway> gateways() {
        lock.assertHeld();
        return gateways;
    }

    /**
     * Checks that routes and gateways name each other, and that there is one route to a net through a gateway, and one
     * that names a NID.
     *
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants() {
        lock.assertHeld();
        int count = 0;
        for (Map.Entry<Net, List<Route>> each : byNet.entrySet()) {
            for (Route route : each.getValue()) {
                Invariant.check(route.net().equals(each.getKey()), route, "to be listed under its net");
                Invariant.check(
                        find(each.getKey(), route.named()) == route,
                        route,
                        "to be the one route there by the NID that it names");
                Invariant.check(
                        gateways.contains(route.gateway) && find(route.net(), route.gateway) == route,
                        route,
                        "to be the one route there through its gateway");
                count++;
            }
        }
        Invariant.check(count == size, "the routes", "their number to be theirs", size, count);
        for (Gateway gateway : gateways) {
            Invariant.check(!gateway.routes.isEmpty(), gateway, "a gateway with routes");
            Invariant.check(gateway.peer.gateway == gateway, gateway, "to be the gateway of its peer");
            count -= gateway.routes.size();
        }
        Invariant.check(count == 0, "the gateways", "as many routes as their table", count);
    }
}
