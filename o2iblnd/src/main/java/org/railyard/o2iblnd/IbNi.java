package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;

/**
 * One NI: its interface, or those of its group, and the peers reached through them. All of it belongs to the loop, but
 * for {@link #take}.
 */
final class IbNi {
    /** Most peers of an NI. */
    static final int MAX_PEERS = 100_000;

    private static final long SECOND = 1_000_000_000L;
    private static final int NANOS_PER_MICRO = 1000;

    private final O2ibLnd lnd;
    private final LndNi ni;
    private final boolean bonded;
    /** Looked at from other threads by {@link #deviceName}. */
    private volatile List<Member> members = List.of();

    /** Looked at and changed from other threads, too. */
    private volatile EffectiveTunables tunables;

    private volatile EffectiveTunables oldTunables;
    private final long stamp;
    private final Inbox inbox;
    private final Map<Nid, RouteSet> peers = new LinkedHashMap<>();
    private final TxPool transmits;
    private final RouteRecovery recovery = new RouteRecovery(this);
    private @Nullable LoopTimer timer;
    private boolean fatal;
    private boolean degraded;
    private volatile boolean stopped;
    private long cookies;

    /**
     * Makes an NI.
     *
     * @param interfaces in order, one for an ordinary NI
     * @param bonded whether it is a group
     */
    IbNi(O2ibLnd lnd, LndNi ni, List<VerbsInterface> interfaces, boolean bonded, EffectiveTunables tunables) {
        this.lnd = lnd;
        this.ni = ni;
        this.bonded = bonded;
        this.tunables = tunables;
        this.oldTunables = tunables.in(Kib.V1);
        this.inbox = new Inbox(lnd.loop(), this::accept);
        this.transmits = new TxPool(tunables.transmitsPerCpt(1));
        this.stamp = lnd.wallNanos() / NANOS_PER_MICRO;
        this.members = interfaces.stream().map(itf -> new Member(this, itf)).toList();
    }

    /**
     * Listens and begins. A group begins with those of its interfaces that can be used.
     *
     * @throws ErrnoException EADDRINUSE if somebody else listens on the interface, ENETDOWN if none can be used
     */
    void start() {
        members.forEach(Member::attach);
        VerbsException first = null;
        for (Member member : members) {
            try {
                member.open();
            } catch (VerbsException e) {
                first = first == null ? e : first;
                if (bonded) {
                    alert(member + " can not be used yet: " + e.getMessage());
                }
            }
        }
        if (first != null && members.stream().noneMatch(Member::isOpen)) {
            members.forEach(Member::detach);
            throw new ErrnoException(
                    first.code() == VerbsException.Code.EADDRINUSE ? Errno.EADDRINUSE : Errno.ENETDOWN,
                    "can not listen on " + ni.interfaceName() + ": " + first.getMessage());
        }
        warnOfAddress();
        judge();
        tick();
    }

    LndNi ni() {
        return ni;
    }

    /** Tells whether it is a group. */
    boolean isBonded() {
        return bonded;
    }

    /** Returns its interfaces, in order. */
    List<Member> members() {
        return members;
    }

    RouteRecovery recovery() {
        return recovery;
    }

    /** Returns the tunables that count, in the newest version of the protocol that it speaks. */
    EffectiveTunables tunables() {
        return tunables;
    }

    /** Returns the tunables that count in a version of the protocol. */
    EffectiveTunables tunables(int version) {
        return version == Kib.V1 ? oldTunables : tunables;
    }

    /** Changes tunables: what begins from now on follows. */
    void tune(EffectiveTunables changed) {
        tunables = changed;
        oldTunables = changed.in(Kib.V1);
    }

    int tunable(O2ibTunable which) {
        return tunables.given().get(which);
    }

    EventLoop loop() {
        return lnd.loop();
    }

    O2ibLnd lnd() {
        return lnd;
    }

    long now() {
        return lnd.now();
    }

    long nid4() {
        return ni.nid().nid4();
    }

    /** Returns the incarnation: when the NI started, µs of wall-clock time. */
    long stamp() {
        return stamp;
    }

    long nextCookie() {
        return cookies++;
    }

    /**
     * Returns how long each step of a message may take, ns: what the stack says, and at most the own limit if there is
     * one.
     */
    long limitOf(LndMessage message) {
        long wanted = message.timeoutNanos();
        if (wanted <= 0) {
            return timeoutNanos();
        }
        return tunable(O2ibTunable.TIMEOUT) == 0 ? wanted : Math.min(wanted, timeoutNanos());
    }

    /** Returns the limit of everything that takes time, ns. */
    long timeoutNanos() {
        int seconds = tunable(O2ibTunable.TIMEOUT);
        return (seconds == 0 ? O2ibTunable.TIMEOUT.spec().defaultValue() : seconds) * SECOND;
    }

    long keepaliveNanos() {
        return tunable(O2ibTunable.KEEPALIVE) * SECOND;
    }

    /** Returns after how long without a message a connection is closed, ns. */
    long idleNanos() {
        int seconds = tunable(O2ibTunable.CONN_IDLE_TIMEOUT);
        return seconds == 0 ? Long.MAX_VALUE : seconds * SECOND;
    }

    boolean checksums() {
        return tunable(O2ibTunable.CKSUM) != 0;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Tells whether none of its interfaces carries anything. */
    boolean isFatal() {
        return fatal;
    }

    void warn(String line) {
        lnd.warn(ni.nid() + ": " + line);
    }

    private void alert(String line) {
        lnd.alert(ni.nid() + ": " + line);
    }

    /** Takes a message to send; from any thread. */
    void take(LndMessage message) {
        inbox.add(message);
    }

    private void accept(LndMessage message) {
        if (stopped) {
            complete(message, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ABORTED);
        } else {
            send(message);
        }
    }

    private void send(LndMessage message) {
        RouteSet peer = routes(message.nextHop());
        if (peer == null) {
            complete(message, Errno.ENOMEM.status(), HealthStatus.LOCAL_ERROR);
            return;
        }
        long limit = limitOf(message);
        Tx tx = transmits.take(O2ibLnd.typeFor(message), message, false, limit);
        tx.setCookie(nextCookie());
        LndMessage reply = O2ibLnd.mayPlaceReply(message) ? lnd.stack().reply(ni, message) : null;
        if (reply != null) {
            tx.expect(reply);
        }
        peer.send(tx);
    }

    /** Returns the routes to the peer with a NID, made if need be; null if there are too many peers. */
    @Nullable
    RouteSet routes(Nid nid) {
        RouteSet known = peers.get(nid);
        if (known == null && peers.size() < MAX_PEERS) {
            known = new RouteSet(this, nid);
            peers.put(nid, known);
        }
        return known;
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

    /** Tells whether the calling thread may do what belongs to the loop: it is the loop's, or the loop has ended. */
    boolean isInLoop() {
        return lnd.isClosed() || lnd.loop().isInLoop();
    }

    /** Returns the transmits that are not used. */
    TxPool transmits() {
        return transmits;
    }

    int parse(LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        return lnd.stack().parse(ni, header, from, fromPid, receiver);
    }

    void complete(LndMessage message, int status, HealthStatus health) {
        lnd.stack().complete(message, status, health);
    }

    void notifyPeer(Nid peer, boolean alive) {
        lnd.stack().notifyPeer(ni, peer, alive, false, lnd.stackNanos());
    }

    /** Ends a transmit and gives its messages back. */
    void finish(Tx tx) {
        LndMessage reply = tx.reply();
        LndMessage message = tx.message();
        int moved = tx.completionStatus();
        int status = tx.status();
        HealthStatus health = tx.health();
        transmits.giveBack(tx);
        if (reply != null) {
            if (health == HealthStatus.OK) {
                lnd.stack().setReplyLength(reply, moved);
            }
            complete(reply, status, health);
        }
        if (message != null) {
            complete(message, status, health);
        }
    }

    /** Something happened to the device or the port of an interface. */
    void changed(Member member, MemberState before, boolean wasUsable) {
        if (member.state() != before) {
            alert(member + " is " + member.state().text() + ", was " + before.text());
        }
        judge();
        if (wasUsable && !member.isUsable()) {
            for (RouteSet peer : List.copyOf(peers.values())) {
                peer.end(member, CloseReason.DEVICE);
            }
        } else if (bonded && !wasUsable && member.isUsable()) {
            peers.values().forEach(peer -> peer.recover(member));
        }
    }

    /** Tells the stack what the interfaces are good for together (spec 21 cb-068). */
    private void judge() {
        boolean nothing = members.stream().noneMatch(Member::isUsable);
        boolean notAll = !members.stream().allMatch(Member::isWhole);
        if (nothing != fatal) {
            fatal = nothing;
            lnd.stack().deviceEvent(ni, nothing ? DeviceEvent.FATAL : DeviceEvent.CLEAR);
        } else if (!notAll && degraded && !nothing) {
            lnd.stack().deviceEvent(ni, DeviceEvent.CLEAR);
        }
        boolean isSlow = notAll && !nothing;
        if (isSlow && !degraded) {
            lnd.stack().deviceEvent(ni, DeviceEvent.DEGRADED);
        }
        if (bonded && isSlow != degraded) {
            alert("the group works "
                    + (isSlow ? "with less than all of its interfaces" : nothing ? "not at all" : "as it should"));
        }
        degraded = isSlow;
    }

    /**
     * Gives a group other interfaces while it runs: routes of those that stay keep their connections, what has not left
     * moves from the others (spec 21 cb-007).
     *
     * @param interfaces in order; the NID stays
     */
    void setInterfaces(List<VerbsInterface> interfaces) {
        List<Member> before = members;
        List<Member> now = new ArrayList<>();
        List<Member> added = new ArrayList<>();
        for (VerbsInterface itf : interfaces) {
            Member known = before.stream()
                    .filter(member -> member.ip() == itf.ip())
                    .findFirst()
                    .orElse(null);
            if (known == null) {
                known = new Member(this, itf);
                added.add(known);
            }
            now.add(known);
        }
        members = List.copyOf(now);
        added.forEach(this::join);
        List<RouteSet> sets = List.copyOf(peers.values());
        sets.forEach(RouteSet::membersChanged);
        for (Member member : before) {
            if (!now.contains(member)) {
                sets.forEach(peer -> peer.end(member, CloseReason.DEVICE));
                member.detach();
            }
        }
        warnOfAddress();
        judge();
    }

    /** Peers without a target dial the address in the NID (spec 21 cb-142). */
    private void warnOfAddress() {
        if (bonded && members.stream().noneMatch(member -> member.ip() == (int) nid4())) {
            warn("none of its interfaces, " + deviceName() + ", has the address of the NID: peers that"
                    + " have no target for it can not begin a connection");
        }
    }

    private void join(Member member) {
        member.attach();
        try {
            member.open();
        } catch (VerbsException e) {
            alert(member + " can not be used yet: " + e.getMessage());
        }
    }

    /** Returns the names of its interfaces, as the name of its device. */
    String deviceName() {
        return InterfaceNames.join(members.stream().map(Member::name).toList());
    }

    private void tick() {
        if (stopped) {
            return;
        }
        for (RouteSet peer : new ArrayList<>(peers.values())) {
            peer.check(now());
        }
        recovery.run();
        timer = lnd.loop().schedule(SECOND, this::tick);
    }

    /** Returns what there is to be seen of it. */
    InterfaceGroupView view() {
        return new InterfaceGroupView(
                ni.nid(), bonded, members.stream().map(Member::view).toList(), tunables);
    }

    /** Returns its routes, those of each peer together. */
    List<RouteSetView> routeViews() {
        return peers.values().stream().map(RouteSet::view).toList();
    }

    /** Stops: everything is given back before this returns. */
    void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        LoopTimer ticking = timer;
        if (ticking != null) {
            ticking.cancel();
        }
        inbox.drain();
        for (RouteSet peer : List.copyOf(peers.values())) {
            peer.endAll(CloseReason.SHUTDOWN);
        }
        peers.clear();
        members.forEach(Member::detach);
    }
}
