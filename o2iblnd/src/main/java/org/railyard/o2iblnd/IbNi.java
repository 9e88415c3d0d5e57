package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.cm.CmListenPoints;
import org.railyard.o2iblnd.cm.ConnectPeer;
import org.railyard.o2iblnd.connection.CloseReason;
import org.railyard.o2iblnd.device.GroupOwner;
import org.railyard.o2iblnd.device.InterfaceGroup;
import org.railyard.o2iblnd.device.Member;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.ni.O2ibContext;
import org.railyard.o2iblnd.peer.PathReview;
import org.railyard.o2iblnd.peer.RouteRecovery;
import org.railyard.o2iblnd.peer.RouteSet;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.VerbsInterface;

/**
 * One NI: its interface, or those of its group, and the peers reached through them. All of it belongs to the loop, but
 * for {@link #take}.
 */
final class IbNi implements GroupOwner {
    /** Most peers of an NI. */
    static final int MAX_PEERS = 100_000;

    private static final long SECOND = 1_000_000_000L;

    private final NiContext context;
    private final InterfaceGroup group;
    private final Inbox inbox;
    private final Map<Nid, RouteSet> peers = new LinkedHashMap<>();
    private final RouteRecovery recovery;
    private final PathReview review;

    /** The peer that was sent to last: as a rule the next message goes there, too. */
    private @Nullable RouteSet last;

    private @Nullable LoopTimer timer;

    /**
     * Makes an NI.
     *
     * @param interfaces in order, one for an ordinary NI
     * @param bonded whether it is a group
     */
    IbNi(
            O2ibContext context,
            CmListenPoints listenPoints,
            LndNi ni,
            List<VerbsInterface> interfaces,
            boolean bonded,
            EffectiveTunables tunables) {
        this.context = new NiContext(context, ni, bonded, tunables);
        this.inbox = new Inbox(context.loop(), this::accept);
        this.recovery = new RouteRecovery(this.context);
        this.review = new PathReview(this.context);
        this.group = new InterfaceGroup(this.context, listenPoints, this, interfaces);
    }

    /**
     * Listens and begins. A group begins with those of its interfaces that can be used.
     *
     * @throws org.railyard.base.ErrnoException EADDRINUSE if another program listens on the interface, ENETDOWN if none
     *     can be used
     */
    void start() {
        group.start();
        tick();
    }

    LndNi ni() {
        return context.ni();
    }

    NiContext context() {
        return context;
    }

    InterfaceGroup group() {
        return group;
    }

    /** Takes a message to send; from any thread. */
    void take(LndMessage message) {
        inbox.add(message);
    }

    private void accept(LndMessage message) {
        if (context.isStopped()) {
            context.complete(message, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ABORTED);
        } else {
            send(message);
        }
    }

    private void send(LndMessage message) {
        RouteSet peer = routes(message.nextHop());
        if (peer == null) {
            context.complete(message, Errno.ENOMEM.status(), HealthStatus.LOCAL_ERROR);
            return;
        }
        long limit = context.limitOf(message);
        Tx tx = context.transmits().take(typeFor(message), message, false, limit);
        tx.setCookie(context.nextCookie());
        LndMessage reply = mayPlaceReply(message) ? context.context().stack().reply(ni(), message) : null;
        if (reply != null) {
            tx.expect(reply);
        }
        peer.send(tx);
    }

    /** Returns the message of the transport that an LNet message begins with. */
    private static KibType typeFor(LndMessage message) {
        return message.payloadLength() <= KibMessage.MAX_IMMEDIATE_PAYLOAD ? KibType.IMMEDIATE : KibType.PUT_REQ;
    }

    /**
     * Tells whether a message is a GET of so much that the peer is to write the answer, and goes to whoever answers it
     * (spec 20 §13).
     */
    private static boolean mayPlaceReply(LndMessage message) {
        LNetHeader header = message.header();
        return header.type() == MessageType.GET
                && Integer.compareUnsigned(header.sinkLength(), KibMessage.MAX_IMMEDIATE_PAYLOAD) > 0
                && header.destNid().equals(message.nextHop());
    }

    /** Returns the routes to the peer with a NID, made if need be; null if there are too many peers. */
    @Nullable
    RouteSet routes(Nid nid) {
        RouteSet latest = last;
        if (latest != null && latest.nid().equals(nid)) {
            return latest;
        }
        RouteSet known = peers.get(nid);
        if (known == null && peers.size() >= MAX_PEERS) {
            context.warn(
                    "peers", "no room for peer " + nid + ": there are " + MAX_PEERS + " already, which is the limit");
        } else if (known == null) {
            known = new RouteSet(context, group, recovery, nid);
            peers.put(nid, known);
        }
        last = known;
        return known;
    }

    @Override
    public @Nullable ConnectPeer peer(Member member, Nid nid, int remoteIp) {
        RouteSet set = routes(nid);
        return set == null ? null : set.recordOf(member, remoteIp);
    }

    /** A peer is gone: what is on its connections ends. */
    void dropConnections(Nid nid) {
        RouteSet known = peers.get(nid);
        if (known != null) {
            known.closeAll(CloseReason.BROKEN);
        }
    }

    /** The target of a NID has changed. */
    void targetChanged(Nid nid) {
        RouteSet known = peers.get(nid);
        if (known != null && known.isBuilt()) {
            known.rebuild();
        }
    }

    @Override
    public void usable(Member member) {
        peers.values().forEach(peer -> peer.recover(member));
    }

    @Override
    public void unusable(Member member) {
        for (RouteSet peer : List.copyOf(peers.values())) {
            peer.end(member, CloseReason.DEVICE);
        }
    }

    @Override
    public void pathsChanged(Member member) {
        peers.values().forEach(peer -> peer.reviewPaths(member, review));
    }

    @Override
    public void membersChanged() {
        List.copyOf(peers.values()).forEach(RouteSet::membersChanged);
    }

    private void tick() {
        if (context.isStopped()) {
            return;
        }
        try {
            long now = context.now();
            for (RouteSet peer : new ArrayList<>(peers.values())) {
                peer.check(now);
            }
            if (peers.values().removeIf(peer -> peer.isForgettable(now))) {
                last = null;
            }
            recovery.run();
        } finally {
            // A failure of one must not end the time limits of all.
            timer = context.loop().schedule(SECOND, this::tick);
        }
    }

    /** Returns what there is to be seen of it. */
    InterfaceGroupView view() {
        return new InterfaceGroupView(
                ni().nid(),
                context.isBonded(),
                group.members().stream().map(Member::view).toList(),
                context.tunables());
    }

    /** Returns its routes, those of each peer together. */
    List<RouteSetView> routeViews() {
        return peers.values().stream().map(RouteSet::view).toList();
    }

    /** Stops: everything is given back before this returns. */
    void stop() {
        if (context.isStopped()) {
            return;
        }
        context.stop();
        LoopTimer ticking = timer;
        if (ticking != null) {
            ticking.cancel();
        }
        inbox.drain();
        review.stop();
        for (RouteSet peer : List.copyOf(peers.values())) {
            peer.endAll(CloseReason.SHUTDOWN);
        }
        peers.clear();
        last = null;
        group.stop();
    }
}
