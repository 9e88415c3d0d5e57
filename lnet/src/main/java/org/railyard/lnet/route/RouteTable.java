package org.railyard.lnet.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;

/** The routes, found by the net that they lead to (spec 11 §6.1). */
public final class RouteTable {
    private final Map<Net, List<Route>> byNet = new LinkedHashMap<>();

    /** Makes an empty table. */
    public RouteTable() {}

    /** Returns the routes to a net; empty if there are none. */
    public List<Route> to(Net net) {
        List<Route> routes = byNet.get(net);
        return routes == null ? List.of() : routes;
    }

    /** Returns the route to a net through a peer, or null. */
    public @Nullable Route find(Net net, Peer peer) {
        List<Route> routes = to(net);
        for (int i = 0; i < routes.size(); i++) {
            if (routes.get(i).gateway.peer == peer) {
                return routes.get(i);
            }
        }
        return null;
    }

    /** Adds a route at a place among those to its net, 0…their number. */
    void add(Route route, int place) {
        byNet.computeIfAbsent(route.net(), net -> new ArrayList<>()).add(place, route);
        route.gateway.routes.add(route);
    }

    /** Returns all routes, net by net. */
    public List<Route> all() {
        List<Route> all = new ArrayList<>();
        byNet.values().forEach(all::addAll);
        return all;
    }

    /** Returns the gateways, in the order in which their first routes lie in the table. */
    public List<Gateway> gateways() {
        return all().stream().map(route -> route.gateway).distinct().toList();
    }
}
