package org.railyard.lnet.route;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.event.NodeEvents;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;

/**
 * What checks, announcements, messages and transports say of gateways: which are alive (spec 11 §6.4), and which
 * messages may come by them (spec 11 §6.8).
 */
public final class Gateways {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final StateLock lock;
    private final Supplier<Settings> settings;
    private final NodeClock clock;
    private final NodeEvents events;
    private final Consumer<Runnable> later;
    private final LimitedLog log;
    private Consumer<Gateway> whenDead = gateway -> {};
    private BiConsumer<LocalNi, Nid> whenLost = (ni, nid) -> {};

    /**
     * Makes it.
     *
     * @param lock guards it, gateways and routes
     * @param settings returns the tunables as they are now
     * @param clock the node's clock
     * @param events where changes are told
     * @param later takes what is to be done when the lock is free again
     */
    public Gateways(
            StateLock lock, Supplier<Settings> settings, NodeClock clock, NodeEvents events, Consumer<Runnable> later) {
        this.lock = lock;
        this.settings = settings;
        this.clock = clock;
        this.events = events;
        this.later = later;
        this.log = new LimitedLog(LOG, System.Logger.Level.WARNING, clock);
    }

    /**
     * Connects what is done about gateways that are dead; it is called with the lock held.
     *
     * @param unanswered takes one that does not answer
     * @param lost takes an NI and the NID of a gateway that its transport found dead
     */
    public void whenDead(Consumer<Gateway> unanswered, BiConsumer<LocalNi, Nid> lost) {
        whenDead = unanswered;
        whenLost = lost;
    }

    /**
     * Tells whether a message for this node may have come the way it came: with {@link Tunable#DROP_ASYM_ROUTE}, one
     * that a gateway forwarded needs a route back to the net of its source through that same gateway (spec 11 §6.8). A
     * message for another node is not asked about.
     *
     * @param from the last hop
     */
    public boolean mayHaveSent(LNetHeader header, PeerNi from) {
        lock.assertHeld();
        if (header.srcNid().isOnNetOf(from.nid()) || !settings.get().is(Tunable.DROP_ASYM_ROUTE)) {
            return true;
        }
        Gateway gateway = from.peer().gateway;
        if (gateway != null) {
            for (int i = 0; i < gateway.routes.size(); i++) {
                if (header.srcNid().isOn(gateway.routes.get(i).net())) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * A message came in, for this node or another: a gateway that was taken to be dead forwards again (spec 11 §6.4, 10
     * §9), or is at least there, so that it is worth a check before its time.
     *
     * @param from the last hop
     */
    public void receivedFrom(PeerNi from, LNetHeader header) {
        lock.assertHeld();
        Peer peer = from.peer();
        Gateway gateway = peer.gateway;
        if (gateway == null) {
            return;
        }
        gateway.suspected = false;
        if (gateway.isAlive()) {
            return;
        }
        if (header.srcNid().isOnNetOf(from.nid())) {
            if (!gateway.hastened) {
                gateway.hastened = true;
                from.peerNet.checkPlanned = false;
            }
            return;
        }
        setAlive(gateway, true, "it forwards again");
        Net far = header.srcNid().net();
        PeerNet net = peer.net(far);
        if (net != null) {
            net.nis.forEach(ni -> ni.status = PingInfo.STATUS_UP);
        }
        Route route = RouteTable.find(far, gateway);
        if (route != null && !Liveness.knowsMore(peer, settings.get())) {
            up(route, "its gateway forwards again");
        }
    }

    /**
     * A peer said what it is; its NIDs have been taken in (spec 11 §6.4). No effect on one that is no gateway.
     *
     * @param info the announcement
     */
    public void announced(Peer peer, PingInfo info) {
        lock.assertHeld();
        Gateway gateway = peer.gateway;
        if (gateway == null) {
            return;
        }
        boolean off = info.hasFeature(PingInfo.RTE_DISABLED);
        for (Route route : gateway.routes) {
            if (off) {
                down(route, Reason.ROUTING_OFF, "its gateway has routing off");
            } else {
                learn(route, info);
            }
        }
    }

    private void learn(Route route, PingInfo info) {
        if (!isUp(info, route.near())) {
            down(route, Reason.GATEWAY_NEAR_DOWN, "its gateway has no NID up on " + route.near());
            return;
        }
        boolean adjacent = info.entries().stream().anyMatch(entry -> entry.nid().isOn(route.net()));
        route.singleHop = adjacent;
        if (route.hops() == 1 && !adjacent) {
            tell(route + " has 1 hop, but its gateway is not on " + route.net() + "; give the route no hops, or more");
        }
        boolean needsFar = settings.get().is(Tunable.AVOID_ASYM_ROUTER_FAILURE) && route.isSingleHop();
        if (needsFar && !isUp(info, route.net())) {
            down(route, Reason.GATEWAY_FAR_DOWN, "its gateway has no NID up on " + route.net());
        } else {
            up(route, "its gateway forwards");
        }
    }

    private static boolean isUp(PingInfo info, Net net) {
        return info.entries().stream().anyMatch(entry -> entry.nid().isOn(net) && !entry.isDown());
    }

    /**
     * A discovery of a peer ended; if it was a check, that is over (spec 11 §6.4). No effect on one that is no gateway.
     *
     * @param error 0 or a negative errno
     */
    public void discovered(Peer peer, int error) {
        lock.assertHeld();
        Gateway gateway = peer.gateway;
        if (gateway == null) {
            return;
        }
        if (peer.is(PeerState.ROUTER_DISCOVERY)) {
            peer.clear(PeerState.ROUTER_DISCOVERY);
            peer.set(PeerState.ROUTER_DISCOVERED);
            gateway.checked = true;
        }
        gateway.unproven = false;
        gateway.suspected = false;
        setAlive(gateway, error == 0, error == 0 ? "it answers" : Errno.describe(error));
        if (error != 0) {
            peer.nis().forEach(ni -> ni.status = PingInfo.STATUS_DOWN);
            for (Route route : gateway.routes) {
                down(route, Reason.GATEWAY_DOWN, "its gateway does not answer");
            }
            whenDead.accept(gateway);
        }
    }

    /**
     * A transport found a gateway alive or dead (spec 11 §6.4). The next check is due at once when it is news that it
     * is dead.
     *
     * @param ni the NI that found it
     * @param peerNi the NID in question, of a peer that is a gateway
     * @param reset whether the gateway as a whole is meant
     */
    public void notified(LocalNi ni, PeerNi peerNi, boolean alive, boolean reset) {
        lock.assertHeld();
        Peer peer = peerNi.peer();
        Gateway gateway = peer.gateway;
        if (gateway == null) {
            return;
        }
        boolean news = peerNi.isUp() && !alive;
        peerNi.status = alive ? PingInfo.STATUS_UP : PingInfo.STATUS_DOWN;
        gateway.suspected = !alive;
        if (!alive) {
            whenLost.accept(ni, peerNi.nid());
        }
        if (reset) {
            setAlive(gateway, alive, "its transport says so");
        }
        if (news) {
            peerNi.peerNet.checkPlanned = false;
            tell("gateway " + peer + ": the transport lost " + peerNi + "; it is checked at once");
        }
        if (Liveness.knowsMore(peer, settings.get()) || (!alive && hasBetter(ni))) {
            return;
        }
        for (Route route : gateway.routes) {
            if (route.named().equals(peerNi.nid())) {
                String why = "the transport of " + ni + " says so";
                if (alive) {
                    up(route, why);
                } else {
                    down(route, Reason.ROUTE_DOWN, why);
                }
            }
        }
    }

    /**
     * Tells whether another NI would be chosen before this one: that this one does not reach a gateway says little
     * then.
     */
    private static boolean hasBetter(LocalNi ni) {
        List<LocalNi> all = ni.localNet().nis;
        return all.stream().anyMatch(other -> other != ni && other.isUsable() && other.health > ni.health);
    }

    private void setAlive(Gateway gateway, boolean alive, String why) {
        if (gateway.setAlive(alive, clock.nanoTime())) {
            events.tell(
                    alive ? NodeEventKind.GATEWAY_UP : NodeEventKind.GATEWAY_DOWN,
                    gateway.peer.primaryNid,
                    Nid.ANY,
                    why);
            tell("gateway " + gateway + " is " + (alive ? "up" : "down") + ": " + why);
        }
    }

    private void up(Route route, String why) {
        if (route.heard(null, clock.nanoTime())) {
            events.tell(NodeEventKind.ROUTE_UP, route.named(), Nid.ANY, route.net() + ", " + why);
            tell("route to " + route + " is up: " + why);
        }
    }

    private void down(Route route, Reason reason, String why) {
        if (route.heard(reason, clock.nanoTime())) {
            events.tell(NodeEventKind.ROUTE_DOWN, route.named(), Nid.ANY, route.net() + ", " + why);
            tell("route to " + route + " is down: " + why);
        }
    }

    private void tell(String line) {
        later.accept(() -> log.log(line, line));
    }
}
