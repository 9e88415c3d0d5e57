package org.railyard.lnet.select;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.route.Liveness;
import org.railyard.lnet.route.RouteTable;

/**
 * Finds the way of a message to a net that this node is not on (spec 10 §8.7): which of the peer's nets, which route,
 * which NID of the gateway, which local NI. The gateway is the peer as far as health, credits and resends are
 * concerned.
 */
final class RouteChooser {
    private final NiTable nis;
    private final Function<Nid, @Nullable PeerNi> peers;
    private final RouteTable routes;
    private final Criteria criteria;
    private final Chooser chooser;
    private final Scope scope;

    RouteChooser(
            NiTable nis,
            Function<Nid, @Nullable PeerNi> peers,
            RouteTable routes,
            Criteria criteria,
            Chooser chooser,
            Scope scope) {
        this.nis = nis;
        this.peers = peers;
        this.routes = routes;
        this.criteria = criteria;
        this.chooser = chooser;
        this.scope = scope;
    }

    /**
     * Returns the NID of a multi-rail peer behind routers that a message is best sent to; null if no route leads to any
     * of its nets.
     */
    @Nullable
    PeerNi bestLast(Peer peer, Settings settings) {
        PeerNet best = null;
        boolean bestAlive = false;
        for (int i = 0; i < peer.nets.size(); i++) {
            PeerNet net = peer.nets.get(i);
            List<Route> ways = routes.to(net.net());
            if (ways.isEmpty() || !isAnyFit(net, ways)) {
                continue;
            }
            boolean alive = isAnyAlive(ways, settings);
            if (best == null || (alive && !bestAlive) || (alive == bestAlive && criteria.compare(net, best) > 0)) {
                best = net;
                bestAlive = alive;
            }
        }
        if (best == null) {
            return null;
        }
        PeerNi last = null;
        List<Route> ways = routes.to(best.net());
        for (int i = 0; i < best.nis.size(); i++) {
            PeerNi ni = best.nis.get(i);
            if (isFit(ni, ways) && (last == null || criteria.compare(ni, last, null) > 0)) {
                last = ni;
            }
        }
        return last;
    }

    private boolean isAnyFit(PeerNet net, List<Route> ways) {
        for (int i = 0; i < net.nis.size(); i++) {
            if (isFit(net.nis.get(i), ways)) {
                return true;
            }
        }
        return false;
    }

    private boolean isFit(PeerNi last, List<Route> ways) {
        return scope.admits(last) && isAnyOfItsKind(last.nid(), ways);
    }

    /** Tells whether a NID of this node that gets to a gateway is of the kind, nid4 or large, of one behind it. */
    private boolean isAnyOfItsKind(Nid last, List<Route> ways) {
        for (int i = 0; i < ways.size(); i++) {
            List<PeerNet> nets = ways.get(i).gateway.peer.nets;
            for (int j = 0; j < nets.size(); j++) {
                LocalNet here = nis.net(nets.get(j).net());
                if (here != null && hasKind(here, nets.get(j), last.isNid4())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasKind(LocalNet here, PeerNet hops, boolean nid4) {
        for (int i = 0; i < here.nis.size(); i++) {
            LocalNi ni = here.nis.get(i);
            if (ni.nid().isNid4() == nid4 && reachesAny(ni, hops)) {
                return true;
            }
        }
        return false;
    }

    private static boolean reachesAny(LocalNi ni, PeerNet hops) {
        for (int i = 0; i < hops.nis.size(); i++) {
            if (Chooser.reaches(ni, hops.nis.get(i).nid())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAnyAlive(List<Route> ways, Settings settings) {
        for (int i = 0; i < ways.size(); i++) {
            if (Liveness.bar(ways.get(i), settings) == null) {
                return true;
            }
        }
        return false;
    }

    /**
     * A response goes back through the gateway that its request came by, whatever is known of that (spec 10 §8.7).
     *
     * @param from the NI that it leaves from
     * @return false if it came by no gateway, or can not go back there
     */
    boolean goesBack(Message message, PeerNi last, LocalNi from, Path path) {
        PeerNi hop = peers.apply(message.sender());
        chooser.leadTo(last.nid());
        if (hop == null
                || hop.peer().gateway == null
                || !hop.nid().isOn(from.net())
                || !chooser.carries(from, hop.nid())) {
            return false;
        }
        chooser.only(Stage.LOCAL_NI, from);
        chooser.only(Stage.PEER_NI, hop);
        path.set(from, hop, last);
        path.route = RouteTable.find(last.peerNet.net(), hop.peer().gateway);
        path.routeSeq = path.route == null ? 0 : path.route.seq;
        return true;
    }

    /**
     * Chooses a route to the net of a NID, and the NIs on this side. The path holds it, or EHOSTUNREACH. Where there
     * are bonds, a message that may leave from any of them is sent again from the one that it failed in, as long as
     * that has something left (spec 21 §10.1, cb-202).
     *
     * @param last the NID that the message is for in the end
     * @param from the NI that it has to leave from, null for any
     * @param avoids whether the NIs that the message has used are left out, as long as something remains
     */
    void choose(Message message, PeerNi last, @Nullable LocalNi from, boolean avoids, Settings settings, Path path) {
        // From here on the NIDs are those of gateways, which the bond of the destination says nothing of.
        scope.leadTo(null);
        chooser.leadTo(last.nid());
        if (avoids) {
            boolean hasBond = scope.isOpen()
                    && !nis.bonds().local().isEmpty()
                    && !message.path().failedSource().isAny();
            if (from == null && hasBond && fromItsBond(message, last, settings, path)) {
                return;
            }
            chooser.avoid(from == null, true);
            boolean found = choose(message, last, from, settings, path);
            if (!found && from == null) {
                chooser.beginAgain("used local NIs may be again");
                chooser.avoid(false, true);
                found = choose(message, last, null, settings, path);
                path.forgetsNis = true;
            }
            if (found) {
                return;
            }
            chooser.beginAgain("all were used, any may be again");
            path.forgetsPeerNis = true;
        }
        chooser.avoid(false, false);
        if (!choose(message, last, from, settings, path)) {
            path.fail(Errno.EHOSTUNREACH);
        }
    }

    /**
     * Looks for another NI of the bond that a message failed in, or another NID of a gateway; then for an NI of another
     * bond.
     */
    private boolean fromItsBond(Message message, PeerNi last, Settings settings, Path path) {
        ActiveBond own = nis.bondOf(message.path().failedSource());
        scope.bind(own);
        boolean found = findFresh(message, last, settings, path);
        scope.unbind();
        if (!found) {
            chooser.beginAgain("all of " + Scope.named(own) + " were used, other bonds may be");
            chooser.avoid(true, true);
            found = choose(message, last, null, settings, path);
        }
        if (!found) {
            chooser.beginAgain("used peer NIs may be again");
            chooser.avoid(true, false);
            found = choose(message, last, null, settings, path);
            path.forgetsPeerNis = found;
        }
        return found;
    }

    private boolean findFresh(Message message, PeerNi last, Settings settings, Path path) {
        for (int leavesOut = DirectPaths.FRESH; leavesOut <= DirectPaths.FRESH_NIS; leavesOut++) {
            boolean freshNis = leavesOut != DirectPaths.FRESH_PEER_NIS;
            boolean freshPeerNis = leavesOut != DirectPaths.FRESH_NIS;
            if (leavesOut != DirectPaths.FRESH) {
                chooser.beginAgain(freshPeerNis ? "used local NIs may be again" : "used peer NIs may be again");
            }
            chooser.avoid(freshNis, freshPeerNis);
            if (choose(message, last, null, settings, path)) {
                path.forgetsNis = !freshNis;
                path.forgetsPeerNis = !freshPeerNis;
                return true;
            }
        }
        return false;
    }

    private boolean choose(Message message, PeerNi last, @Nullable LocalNi from, Settings settings, Path path) {
        List<Route> ways = routes.to(last.peerNet.net());
        if (ways.isEmpty()) {
            chooser.refuse(Stage.PEER_NI, last, Reason.NO_ROUTE);
            return false;
        }
        chooser.beginRoutes();
        Route best = null;
        PeerNi bestHop = null;
        long highest = 0;
        Peer origin = origin(message);
        for (int i = 0; i < ways.size(); i++) {
            Route route = ways.get(i);
            Reason reason = Liveness.bar(route, settings);
            if (reason != null && route.gateway.suspected && isReportOfTransport(reason)) {
                // Its transport lost it, which may mean one connection: better than nothing, and worse than the others.
                reason = null;
            }
            if (reason == null) {
                highest = Math.max(highest, route.seq);
                reason = route.gateway.peer == origin ? Reason.CAME_FROM : null;
            }
            PeerNi hop = reason == null ? chooser.bestHop(route.gateway.peer, from) : null;
            if (hop == null) {
                chooser.excludeRoute(route, i, ways.size(), reason == null ? chooser.noHop() : reason);
                continue;
            }
            chooser.offerRoute(route, hop, last);
            if (best == null || bestHop == null || criteria.compare(route, hop, best, bestHop, last) >= 0) {
                best = route;
                bestHop = hop;
            }
        }
        LocalNi ni = bestHop == null ? null : niTowards(bestHop, from);
        if (best == null || bestHop == null || ni == null) {
            return false;
        }
        path.set(ni, bestHop, last);
        path.route = best;
        path.routeSeq = highest + 1;
        return true;
    }

    /** Tells whether a transport alone may have been the reason. */
    private static boolean isReportOfTransport(Reason reason) {
        return reason == Reason.GATEWAY_NEAR_DOWN || reason == Reason.ROUTE_DOWN;
    }

    /** Returns who handed a message to this router, null for a message of its own: it does not go back there. */
    private @Nullable Peer origin(Message message) {
        PeerNi hop = message.isForwarding() ? peers.apply(message.sender()) : null;
        return hop == null ? null : hop.peer();
    }

    private @Nullable LocalNi niTowards(PeerNi hop, @Nullable LocalNi from) {
        chooser.only(Stage.PEER_NI, hop);
        if (from != null) {
            chooser.only(Stage.LOCAL_NI, from);
            return from;
        }
        LocalNet here = nis.net(hop.peerNet.net());
        criteria.towards(hop);
        return here == null ? null : chooser.bestNi(here, hop);
    }
}
