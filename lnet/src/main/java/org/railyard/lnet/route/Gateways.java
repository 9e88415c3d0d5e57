package org.railyard.lnet.route;

import java.util.function.Supplier;
import org.railyard.lnet.Settings;
import org.railyard.lnet.Tunable;
import org.railyard.lnet.host.NodeClock;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;

/** What messages and reports say of gateways: which are alive (spec 11 §6.4), and which messages may come by them (§6.8). */
public final class Gateways {
    private final RouteTable routes;
    private final Supplier<Settings> settings;
    private final NodeClock clock;

    /**
     * Makes it.
     *
     * @param settings returns the tunables as they are now
     * @param clock the node's clock
     */
    public Gateways(RouteTable routes, Supplier<Settings> settings, NodeClock clock) {
        this.routes = routes;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Tells whether a message for this node may have come the way it came: with {@link Tunable#DROP_ASYM_ROUTE}, one that a gateway forwarded needs a
     * route back to the net of its source through that same gateway (spec 11 §6.8). A message for another node is not asked about.
     *
     * @param from the last hop
     */
    public boolean mayHaveSent(LNetHeader header, PeerNi from) {
        return header.srcNid().isOnNetOf(from.nid())
                || !settings.get().is(Tunable.DROP_ASYM_ROUTE)
                || routes.find(header.srcNid().net(), from.peer()) != null;
    }

    /**
     * A message came in, for this node or another: a gateway that was taken to be dead forwards again (spec 11 §6.4, 10 §9).
     *
     * @param from the last hop
     */
    public void receivedFrom(PeerNi from, LNetHeader header) {
        Peer peer = from.peer();
        Gateway gateway = peer.gateway;
        if (gateway == null || gateway.alive || header.srcNid().isOnNetOf(from.nid())) {
            return;
        }
        gateway.alive = true;
        gateway.changed = clock.nanoTime();
        PeerNet near = from.peerNet;
        for (int i = 0; i < near.nis.size(); i++) {
            near.nis.get(i).status = PingInfo.STATUS_UP;
        }
    }
}
