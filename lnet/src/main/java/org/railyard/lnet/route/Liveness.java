package org.railyard.lnet.route;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.Route;

/** Which routes can be used (spec 11 §6.4). Health does not matter here: it only says which of them is better. */
public final class Liveness {
    private Liveness() {}

    /** Returns why a route can not be used now, null if it can. */
    public static @Nullable Reason bar(Route route, Settings settings) {
        Peer peer = route.gateway.peer;
        if (!route.gateway.isAlive()) {
            return Reason.GATEWAY_DOWN;
        }
        if (!knowsMore(peer, settings)) {
            return route.down();
        }
        if (!hasUp(peer.net(route.near()))) {
            return Reason.GATEWAY_NEAR_DOWN;
        }
        if (settings.is(Tunable.AVOID_ASYM_ROUTER_FAILURE) && route.isSingleHop() && !hasUp(peer.net(route.net()))) {
            return Reason.GATEWAY_FAR_DOWN;
        }
        return peer.is(PeerState.ROUTER_ENABLED) ? null : Reason.ROUTING_OFF;
    }

    /** Tells whether a peer says all about itself, so that the last summary does not have to do. */
    static boolean knowsMore(Peer peer, Settings settings) {
        return settings.is(Tunable.DISCOVERY) && settings.is(Tunable.MULTI_RAIL) && !peer.is(PeerState.NO_DISCOVERY);
    }

    /** Tells whether a peer has a NID on a net that is up. */
    static boolean hasUp(@Nullable PeerNet net) {
        if (net != null) {
            for (int i = 0; i < net.nis.size(); i++) {
                if (net.nis.get(i).isUp()) {
                    return true;
                }
            }
        }
        return false;
    }
}
