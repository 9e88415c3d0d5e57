package org.railyard.o2iblnd.bond;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/**
 * The routes from an NI to a peer as they are now.
 *
 * @param ni NID of the NI
 * @param peer NID of the peer
 * @param routes in the order in which messages take turns on them, those that are none last
 */
public record RouteSetView(Nid ni, Nid peer, List<RouteView> routes) {
    /** Copies the list. */
    public RouteSetView {
        routes = List.copyOf(routes);
    }
}
