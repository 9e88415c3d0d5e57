package org.railyard.config;

import java.util.List;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * Routes to a net as configured.
 *
 * @param net where they lead to
 * @param gateways the routers, a route for each
 * @param hops 1…255, −1 for not told
 * @param priority 0 is best
 * @param place where it is in the file
 */
public record RouteSpec(Net net, List<Nid> gateways, int hops, int priority, Place place) {
    /** Copies the list. */
    public RouteSpec {
        gateways = List.copyOf(gateways);
    }
}
