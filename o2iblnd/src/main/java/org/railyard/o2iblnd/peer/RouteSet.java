package org.railyard.o2iblnd.peer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.RouteChoice;
import org.railyard.o2iblnd.bond.RoutePlan;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.WeightedTurn;
import org.railyard.o2iblnd.connection.CloseReason;
import org.railyard.o2iblnd.device.InterfaceGroup;
import org.railyard.o2iblnd.device.Member;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.wire.Kib;

/**
 * The routes from an NI to a NID (spec 21 §4): made when the first message is sent there. An ordinary NI has one to
 * each. Connections that a bonded peer makes elsewhere have records of their own, over which nothing is sent unless
 * nothing else works. Belongs to the loop.
 */
public final class RouteSet implements RouteChoice.Routes {
    /** Most records beside the routes: a peer can not have more interfaces, nor this node. */
    static final int MAX_EXTRAS = 256;

    /**
     * Stands for the incarnation of a peer that speaks version 1, so that one that came back with a newer version
     * refuses it and says so.
     */
    private static final long STAMP_OF_OLD_PEER = -1;

    private final NiContext ni;
    private final InterfaceGroup group;
    private final RouteRecovery recovery;
    private final Nid nid;
    private final List<IbPeer> routes = new ArrayList<>();
    private final List<IbPeer> extras = new ArrayList<>();
    private final WeightedTurn turns = new WeightedTurn();
    private final IntToLongFunction weights = this::weight;
    private final LearnedAddresses learned;
    private int cursor;
    private long stamp;
    private int version;

    /** Makes the routes to a peer; there are none yet. */
    public RouteSet(NiContext ni, InterfaceGroup group, RouteRecovery recovery, Nid nid) {
        this.ni = ni;
        this.group = group;
        this.recovery = recovery;
        this.nid = nid;
        this.learned = new LearnedAddresses(ni, group, nid);
        this.version = ni.tunables().version();
        if (!ni.isBonded()) {
            routes.add(new IbPeer(this, recovery, group.members().getFirst(), (int) nid.nid4()));
        }
    }

    NiContext ni() {
        return ni;
    }

    /** Returns the NID of the peer. */
    public Nid nid() {
        return nid;
    }

    /** Returns the peer's incarnation; 0 if it is not known. */
    long stamp() {
        return stamp;
    }

    /** Returns the version of the protocol that the peer spoke last; the newest one of this node before it did. */
    int version() {
        return version;
    }

    /** Tells whether connections with another incarnation, or in another version, are known. */
    boolean differs(int otherVersion, long otherStamp) {
        return isRealStamp() && (stamp != otherStamp || version != otherVersion);
    }

    private boolean isRealStamp() {
        return stamp != 0 && stamp != STAMP_OF_OLD_PEER;
    }

    /**
     * Learns the version and the incarnation of the peer: connections with others are stale, on all routes (spec 20
     * §5.1 row 14; spec 21 cb-050).
     *
     * @param newStamp 0 if it was not told: then only the version is learned
     */
    void learn(int newVersion, long newStamp) {
        long value = newStamp == 0 ? stamp : newStamp;
        boolean restarted = differs(newVersion, value);
        if (version != newVersion) {
            records().forEach(IbPeer::forgetLimits);
        }
        version = newVersion;
        stamp = value;
        if (restarted) {
            if (learned.forget()) {
                membersChanged();
            }
            closeAll(CloseReason.STALE);
        }
    }

    /** The peer speaks version 1, in which a reject does not tell the incarnation (spec 20 §6). */
    void learnOldVersion() {
        learn(Kib.V1, version == Kib.V1 && isRealStamp() ? stamp : STAMP_OF_OLD_PEER);
    }

    /**
     * What is known of the peer's version may be of a node that is gone: the next request is in the newest one again.
     */
    void forgetVersion() {
        if (version != ni.tunables().version()) {
            records().forEach(IbPeer::forgetLimits);
            version = ni.tunables().version();
        }
        stamp = isRealStamp() ? stamp : 0;
    }

    /** Learns where the peer says that it is reached, from the private data of its acceptance. */
    void learnAddresses(MemorySegment answer) {
        if (learned.learn(answer)) {
            membersChanged();
        }
    }

    /**
     * Returns the addresses that routes lead to: what is configured comes before what was learned; null for the one in
     * the NID.
     */
    private @Nullable Target target() {
        Target configured = ni.context().targets().find(nid);
        return configured == null ? learned.target() : configured;
    }

    private boolean followsPeer() {
        return learned.target() != null && learned.target() == target();
    }

    /** Closes all connections that are up or being accepted. */
    public void closeAll(CloseReason reason) {
        records().forEach(record -> record.closeAll(reason));
    }

    private List<IbPeer> records() {
        List<IbPeer> all = new ArrayList<>(routes);
        all.addAll(extras);
        return all;
    }

    /** Makes the routes if there are none; records of connections that came before become those of their routes. */
    public void build() {
        if (routes.isEmpty()) {
            rebuild();
        }
    }

    /**
     * Targets or interfaces have changed: routes that stay keep their connections, others end when nothing is under way
     * on them (spec 21 cb-027).
     */
    public void rebuild() {
        if (!ni.isBonded()) {
            return;
        }
        List<IbPeer> before = List.copyOf(routes);
        List<IbPeer> known = records();
        routes.clear();
        for (RoutePlan.Pair pair : RoutePlan.of(group.members().size(), nid, target())) {
            Member member = group.members().get(pair.member());
            IbPeer record = find(known, member, pair.ip());
            if (record == null) {
                record = new IbPeer(this, recovery, member, pair.ip());
            } else {
                known.remove(record);
            }
            record.retire(false);
            routes.add(record);
        }
        extras.clear();
        extras.addAll(known);
        before.stream().filter(known::contains).forEach(record -> record.retire(true));
        cursor = 0;
    }

    /** Tells whether routes were made. */
    public boolean isBuilt() {
        return !routes.isEmpty();
    }

    /** The interfaces of the group, or the addresses of the peer, have changed. */
    public void membersChanged() {
        if (isBuilt()) {
            rebuild();
        }
    }

    /** Returns the routes. */
    public List<IbPeer> routes() {
        return routes;
    }

    private static @Nullable IbPeer find(List<IbPeer> among, Member member, int ip) {
        for (IbPeer each : among) {
            if (each.member() == member && each.ip() == ip) {
                return each;
            }
        }
        return null;
    }

    /** Returns the record for a connection that the peer asks for (spec 21 cb-048); null if there are too many. */
    @Nullable
    public IbPeer recordOf(Member member, int ip) {
        if (!ni.isBonded()) {
            // Several connections from different addresses of a bonded peer are all the same to it.
            return routes.getFirst();
        }
        IbPeer route = find(routes, member, ip);
        if (route != null) {
            return route;
        }
        IbPeer extra = find(extras, member, ip);
        if (extra == null && extras.size() < MAX_EXTRAS) {
            extra = new IbPeer(this, recovery, member, ip);
            extras.add(extra);
        }
        if (extra != null) {
            extra.retire(false);
        }
        return extra;
    }

    /** Sends a message over the next route. */
    public void send(Tx tx) {
        build();
        IbPeer route = next();
        if (route != null) {
            route.send(tx);
        } else if (group.isFatal()) {
            // Nothing of it has left: another NI may take it.
            tx.fail(Errno.ENETDOWN.status(), HealthStatus.LOCAL_NO_ROUTE);
            ni.finish(tx);
        } else {
            tx.fail(Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED);
            ni.finish(tx);
        }
    }

    private @Nullable IbPeer next() {
        if (!ni.isBonded()) {
            return routes.getFirst();
        }
        IbPeer route = nextOf();
        if (route == null && followsPeer() && !group.isFatal()) {
            // Back to the address in its NID.
            learned.giveUp();
            membersChanged();
            route = nextOf();
        }
        return route;
    }

    private @Nullable IbPeer nextOf() {
        int start = ni.tunable(O2ibTunable.ROUTE_POLICY) == 0 ? cursor : turns.next(routes.size(), weights);
        int picked = RouteChoice.pick(start, this);
        IbPeer route = picked == RouteChoice.NONE ? null : routes.get(picked);
        if (route == null || route.state() == RouteState.RECONNECTING) {
            IbPeer extra = connectedExtra();
            if (extra != null) {
                return extra;
            }
        }
        cursor = route == null ? cursor : (picked + 1) % routes.size();
        return route;
    }

    private @Nullable IbPeer connectedExtra() {
        for (IbPeer each : extras) {
            if (each.state() == RouteState.CONNECTED && each.member().isUsable()) {
                return each;
            }
        }
        return null;
    }

    private long weight(int route) {
        IbPeer each = routes.get(route);
        RouteState state = each.state();
        boolean waits = state == RouteState.DISCONNECTED || state == RouteState.RECONNECTING;
        return waits || !each.member().isUsable() ? 0 : each.member().linkRate();
    }

    @Override
    public int count() {
        return routes.size();
    }

    @Override
    public RouteState state(int route) {
        return routes.get(route).state();
    }

    @Override
    public boolean isUsable(int route) {
        return routes.get(route).member().isUsable();
    }

    @Override
    public void recover(int route) {
        routes.get(route).recover();
    }

    /**
     * Takes a transmit over from a route that failed, if the peer has certainly not seen it (spec 21 cb-067).
     *
     * @return false if it is to be finished: it may have been seen, it is late, or there is no other way
     */
    boolean move(Tx tx) {
        if (!ni.isBonded()
                || ni.isStopped()
                || ni.tunable(O2ibTunable.BOND_LOCAL_RETRY) == 0
                || !tx.isUnseen()
                || tx.deadline() <= ni.now()) {
            return false;
        }
        IbPeer route = next();
        if (route == null) {
            return false;
        }
        tx.beginAgain();
        route.send(tx);
        return true;
    }

    /** Tells whether there is a connection, on whatever route. */
    boolean isConnected() {
        return records().stream().anyMatch(record -> record.state() == RouteState.CONNECTED);
    }

    /** Tells whether there is a connection, or a route that may become one. */
    boolean mayReconnect() {
        return connectedExtra() != null
                || followsPeer()
                || routes.stream()
                        .anyMatch(route -> route.state() != RouteState.DISCONNECTED
                                && (route.member().isUsable() || !ni.isBonded()));
    }

    /** An interface can not be used any more. */
    public void end(Member member, CloseReason reason) {
        for (IbPeer each : records()) {
            if (each.member() == member) {
                each.end(reason);
            }
        }
    }

    /**
     * An interface can be used again: its routes are connected again without waiting for a message (spec 21 cb-069).
     */
    public void recover(Member member) {
        for (IbPeer each : routes) {
            if (each.member() == member) {
                each.recoverNow();
            }
        }
    }

    /** Paths from an interface may be others than before: those of connections are looked up again. */
    public void reviewPaths(Member member, PathReview review) {
        for (IbPeer each : records()) {
            if (each.member() == member && each.hasDialled()) {
                review.add(each);
            }
        }
    }

    /** Ends all routes for a reason. */
    public void endAll(CloseReason reason) {
        records().forEach(record -> record.end(reason));
    }

    /** Ends what has passed its limit. */
    public void check(long now) {
        for (IbPeer each : records()) {
            each.check(now);
        }
        extras.removeIf(IbPeer::isUnused);
    }

    /** Tells whether nothing is lost if it is forgotten: no record is in use, nor will be soon. */
    public boolean isForgettable(long now) {
        return areForgettable(routes, now) && areForgettable(extras, now);
    }

    private static boolean areForgettable(List<IbPeer> records, long now) {
        for (int i = 0; i < records.size(); i++) {
            if (!records.get(i).isForgettable(now)) {
                return false;
            }
        }
        return true;
    }

    /** Returns what there is to be seen of it and its routes, extra records last. */
    public RouteSetView view() {
        List<RouteView> views = new ArrayList<>();
        routes.forEach(record -> views.add(record.view(false)));
        extras.forEach(record -> views.add(record.view(true)));
        RouteSetView.Origin origin = !ni.isBonded() || target() == null
                ? RouteSetView.Origin.NID
                : followsPeer() ? RouteSetView.Origin.LEARNED : RouteSetView.Origin.TARGET;
        return new RouteSetView(ni.ni().nid(), nid, origin, learned.ips(), views);
    }
}
