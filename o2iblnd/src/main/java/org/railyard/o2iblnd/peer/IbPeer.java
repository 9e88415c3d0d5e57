package org.railyard.o2iblnd.peer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.Backoff;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.cm.ActiveConnect;
import org.railyard.o2iblnd.cm.ConnectFailure;
import org.railyard.o2iblnd.cm.ConnectPeer;
import org.railyard.o2iblnd.connection.CloseReason;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.device.Member;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.transfer.ChunkShares;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.tune.Negotiation;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.VerbsException;

/**
 * A peer as it is reached on one route, from one interface to one address: what is known of it, its connections, what
 * waits for one (spec 20 §2.4, §6, §8; spec 21 cb-044). Belongs to the loop.
 *
 * <p>Its {@link #state} follows from its connections, attempts and accepted requests, and from whether the last of them
 * ended badly:
 *
 * <pre>
 * State         becomes       when
 * NEW           CONNECTING    a message is sent; the peer asks for a connection
 * CONNECTING    CONNECTED     a connection is up
 * CONNECTING    DISCONNECTED  the last attempt failed
 * CONNECTED     NEW           the last connection ended with nothing under way
 * CONNECTED     DISCONNECTED  the last connection broke
 * DISCONNECTED  RECONNECTING  a message met it and the wait is over; its interface works again; the peer asks
 * RECONNECTING  CONNECTED     a connection is up
 * RECONNECTING  DISCONNECTED  the last attempt failed; the wait becomes longer
 * </pre>
 */
public final class IbPeer implements ConnectPeer, RouteRecovery.Route, PathReview.Route {
    /** Refusals of a peer that connects at the same time, after which it is let in. */
    static final int MAX_RACES = 20;

    /**
     * Most connections that a peer may have on a route at a time: as many as it can want, twice, since old ones may
     * still be ending.
     */
    public static final int MAX_CONNS = 2 * 127;

    /** So long without use, and a peer that messages went to is forgotten, ns. */
    static final long FORGET_NANOS = 600_000_000_000L;

    private static final int FREE_ATTEMPTS = 10;
    private static final long SECOND = 1_000_000_000L;
    private static final long WAITING_EXTRA = 10 * SECOND;

    private final RouteSet set;
    private final NiContext ni;
    private final RouteRecovery recovery;
    private final Member member;
    private final int ip;
    private final ArrayDeque<Tx> waiting = new ArrayDeque<>();
    private final List<IbConn> conns = new ArrayList<>();
    private final List<ActiveConnect> attempts = new ArrayList<>();
    /** Accepted, not up yet. */
    private final List<IbConn> accepting = new ArrayList<>();

    /** Those of {@link #conns} that this node asked for. */
    private final Set<IbConn> dialledConns = new LinkedHashSet<>();

    private final OutdatedConns outdated = new OutdatedConns();
    private final List<Consumer<@Nullable ConnectFailure>> probes = new ArrayList<>();
    private final Backoff backoff = new Backoff();
    private final ChunkShares shares = new ChunkShares();
    private @Nullable ConnectionParameters limits;
    private int races;
    private int attemptsInARow;
    private boolean reconnectLater;
    private boolean lost;
    private boolean recovering;
    private boolean retired;
    private int turn;
    private long messages;
    private boolean dialled;
    private long lastUse;
    private @Nullable String lastError;

    IbPeer(RouteSet set, RouteRecovery recovery, Member member, int ip) {
        this.set = set;
        this.ni = set.ni();
        this.recovery = recovery;
        this.member = member;
        this.ip = ip;
    }

    @Override
    public NiContext ni() {
        return ni;
    }

    Member member() {
        return member;
    }

    @Override
    public ChunkShares shares() {
        return shares;
    }

    @Override
    public int ip() {
        return ip;
    }

    @Override
    public Nid nid() {
        return set.nid();
    }

    @Override
    public long nid4() {
        return set.nid().nid4();
    }

    @Override
    public int version() {
        return set.version();
    }

    @Override
    public long stamp() {
        return set.stamp();
    }

    @Override
    public Card card() {
        return member.card();
    }

    @Override
    public int localIp() {
        return member.ip();
    }

    @Override
    public boolean differs(int otherVersion, long otherStamp) {
        return set.differs(otherVersion, otherStamp);
    }

    @Override
    public void learn(int newVersion, long newStamp) {
        set.learn(newVersion, newStamp);
    }

    @Override
    public void learnOldVersion() {
        set.learnOldVersion();
    }

    @Override
    public void forgetVersion() {
        set.forgetVersion();
    }

    @Override
    public void learnAddresses(MemorySegment answer) {
        set.learnAddresses(answer);
    }

    @Override
    public void closeAllRoutes(CloseReason reason) {
        set.closeAll(reason);
    }

    @Override
    public boolean move(Tx tx) {
        return set.move(tx);
    }

    @Override
    public ConnectionParameters limits() {
        ConnectionParameters learned = limits;
        if (learned != null) {
            return learned;
        }
        return Negotiation.Limits.of(ni.tunables(version())).parameters();
    }

    /** What the peer agreed to does not count any more. */
    void forgetLimits() {
        limits = null;
    }

    @Override
    public void setLimits(ConnectionParameters value) {
        limits = value;
    }

    RouteState state() {
        if (!conns.isEmpty()) {
            return RouteState.CONNECTED;
        }
        boolean busy = !attempts.isEmpty() || !accepting.isEmpty() || reconnectLater || recovery.contains(this);
        if (busy) {
            return lost ? RouteState.RECONNECTING : RouteState.CONNECTING;
        }
        return lost ? RouteState.DISCONNECTED : RouteState.NEW;
    }

    @Override
    public boolean isConnecting() {
        return !attempts.isEmpty();
    }

    /** Tells whether nothing is left of it. */
    boolean isUnused() {
        return conns.isEmpty()
                && outdated.isEmpty()
                && accepting.isEmpty()
                && attempts.isEmpty()
                && waiting.isEmpty()
                && probes.isEmpty()
                && !reconnectLater
                && !recovery.contains(this);
    }

    /** Tells whether nothing is lost with it: at once if this node never wanted anything of it, otherwise later. */
    boolean isForgettable(long now) {
        return isUnused() && backoff.isOver(now) && (!dialled || !ni.isBonded() && now - lastUse >= FORGET_NANOS);
    }

    /** Ends it as soon as nothing is under way on it, or no more. */
    void retire(boolean end) {
        retired = end;
    }

    @Override
    public boolean isFull() {
        return conns.size() + outdated.size() + accepting.size() >= MAX_CONNS;
    }

    @Override
    public boolean countRace() {
        return races++ < MAX_RACES;
    }

    private void clearRaces() {
        races = 0;
        reconnectLater = false;
    }

    /**
     * The peer's request is accepted. It takes the place of one of this node's own, which the peer may get to see too
     * late to refuse it.
     */
    @Override
    public void accepting(IbConn conn) {
        accepting.add(conn);
        boolean tooMany = attempts.size() + accepting.size() + conns.size()
                > ni.tunables().connsPerPeer();
        if (tooMany && !attempts.isEmpty() && nid4() != ni.nid4()) {
            attempts.removeLast().abort(CloseReason.PEER_CLOSED);
        }
        clearRaces();
    }

    /** Sends, over a connection if there is one. */
    void send(Tx tx) {
        messages++;
        if (conns.isEmpty()) {
            tx.setDeadline(ni.now() + Math.min(tx.limitNanos(), connectNanos() + WAITING_EXTRA));
            waiting.add(tx);
            connect();
        } else {
            turn = (turn + 1) % conns.size();
            conns.get(turn).queue(tx);
        }
    }

    private long connectNanos() {
        return Math.max(5 * SECOND, ni.timeoutNanos() / 4);
    }

    private void connect() {
        if (attempts.isEmpty() && accepting.isEmpty() && !reconnectLater) {
            boolean goesOn = true;
            for (int i = 0; goesOn && i < ni.tunables().connsPerPeer(); i++) {
                goesOn = begin();
            }
        }
    }

    /** Begins an attempt; false if it failed at once, which counts once. */
    private boolean begin() {
        dialled = true;
        ActiveConnect attempt;
        try {
            attempt = new ActiveConnect(this, ni.now() + connectNanos());
        } catch (VerbsException e) {
            ConnectFailure why = new ConnectFailure(Errno.ENOMEM, String.valueOf(e.getMessage()), false);
            ni.warn("connect " + this, this + ": no connection: " + why.text());
            failed(why);
            return false;
        }
        attempts.add(attempt);
        attempt.begin();
        return attempts.contains(attempt);
    }

    /** A message met it disconnected: it is connected again, unless it failed a short time ago. */
    void recover() {
        if (state() == RouteState.DISCONNECTED && backoff.isOver(ni.now())) {
            recovery.add(this);
        }
    }

    /** There is a reason to believe that it can be connected again. */
    void recoverNow() {
        backoff.reset();
        recover();
    }

    @Override
    public void reconnect() {
        if (conns.isEmpty() && member.isUsable()) {
            recovering = true;
            connect();
        }
    }

    /** Tells, once, how connecting ends, beginning with it if need be: null if it is connected. */
    public void probe(Consumer<@Nullable ConnectFailure> then) {
        if (!conns.isEmpty()) {
            then.accept(null);
        } else if (!member.isUsable()) {
            then.accept(new ConnectFailure(
                    Errno.ENETDOWN, member.name() + " is " + member.state().text(), false));
        } else {
            probes.add(then);
            recovering = true;
            connect();
        }
    }

    private void decided(@Nullable ConnectFailure failure) {
        List<Consumer<@Nullable ConnectFailure>> told = new ArrayList<>(probes);
        probes.clear();
        told.forEach(each -> each.accept(failure));
    }

    @Override
    public void again(ActiveConnect failed, boolean otherVersion) {
        attempts.remove(failed);
        boolean wanted = !waiting.isEmpty() || recovering || otherVersion;
        if (!wanted || !accepting.isEmpty() || !conns.isEmpty() || reconnectLater) {
            return;
        }
        attemptsInARow++;
        if (attemptsInARow <= FREE_ATTEMPTS) {
            begin();
        } else {
            reconnectLater = true;
        }
    }

    @Override
    public void failed(ActiveConnect failed, ConnectFailure why) {
        attempts.remove(failed);
        failed(why);
    }

    private void failed(ConnectFailure why) {
        if (!conns.isEmpty()) {
            return;
        }
        lastError = why.text();
        if (!attempts.isEmpty() || !accepting.isEmpty()) {
            return;
        }
        lost = true;
        recovering = false;
        backoff.failed(ni.now());
        // What waits has not left: it may take another way. Silence is the peer's, and judged as such (spec 10 §22).
        HealthStatus health = switch (why.errno()) {
            case ETIMEDOUT -> HealthStatus.LOCAL_TIMEOUT;
            case EHOSTUNREACH, ECONNREFUSED -> HealthStatus.REMOTE_DROPPED;
            default -> HealthStatus.LOCAL_DROPPED;
        };
        if (health != HealthStatus.LOCAL_DROPPED && !set.mayReconnect()) {
            ni.notifyPeer(nid(), false);
        }
        attemptsInARow = 0;
        finishWaiting(why.errno(), health);
        decided(why);
    }

    private void finishWaiting(Errno why, HealthStatus health) {
        List<Tx> all = new ArrayList<>(waiting);
        waiting.clear();
        for (Tx tx : all) {
            if (!set.move(tx)) {
                tx.fail(why.status(), health);
                ni.finish(tx);
            }
        }
    }

    @Override
    public void established(IbConn conn) {
        boolean first = !set.isConnected();
        if (attempts.removeIf(attempt -> attempt.conn() == conn)) {
            dialledConns.add(conn);
        }
        accepting.remove(conn);
        outdated.replace(conns, ni.now());
        conns.add(conn);
        attemptsInARow = 0;
        lost = false;
        lastError = null;
        recovering = false;
        backoff.reset();
        clearRaces();
        if (first) {
            ni.notifyPeer(nid(), true);
        }
        List<Tx> all = new ArrayList<>(waiting);
        waiting.clear();
        for (Tx tx : all) {
            if (conn.isEstablished()) {
                conn.queue(tx);
            } else {
                set.send(tx);
            }
        }
        decided(null);
    }

    @Override
    public void disconnected(IbConn conn) {
        member.forget(conn.id());
    }

    @Override
    public void closed(IbConn conn, CloseReason reason, boolean orderly) {
        dialledConns.remove(conn);
        outdated.remove(conn);
        boolean wasUp = conns.remove(conn);
        accepting.remove(conn);
        if (wasUp && conns.isEmpty()) {
            lost = !orderly;
            lastError = orderly ? lastError : reason.errno().text();
            if (!set.isConnected()) {
                tellEnd(reason);
            }
        }
        if (!wasUp
                && (!waiting.isEmpty() || recovering)
                && reason != CloseReason.SHUTDOWN
                && reason != CloseReason.DEVICE) {
            connect();
        }
    }

    private void tellEnd(CloseReason reason) {
        if (reason.blamesPeer()) {
            ni.notifyPeer(nid(), false);
        } else {
            ni.disconnected(nid());
        }
    }

    /** Tells whether there is a connection that this node asked for, on the path that it found. */
    boolean hasDialled() {
        return !dialledConns.isEmpty();
    }

    /**
     * Takes note of the path that the subnet has now. A connection on another one ends at once if nothing is under way
     * on it. Otherwise it goes on until a new one has taken its place, and ends then as soon as nothing is under way.
     */
    @Override
    public void pathIs(PathRecord found) {
        for (IbConn conn : List.copyOf(dialledConns)) {
            PathRecord used = conn.id().path();
            if (used == null || used.leadsLike(found)) {
                outdated.unmark(conn);
            } else if (outdated.mark(conn)) {
                ni.warn(
                        "path " + this,
                        this + ": the path is " + found + ", that of the connection " + used + "; it is made anew");
                if (conn.isIdle()) {
                    conn.close(CloseReason.IDLE);
                } else {
                    begin();
                }
            }
        }
    }

    /** Closes all connections that are up or being accepted. */
    void closeAll(CloseReason reason) {
        List<IbConn> all = new ArrayList<>(conns);
        all.addAll(outdated.replaced());
        all.addAll(accepting);
        all.forEach(conn -> conn.close(reason));
    }

    /** Ends everything. */
    void end(CloseReason reason) {
        boolean busy = !attempts.isEmpty() || !conns.isEmpty() || !accepting.isEmpty();
        List.copyOf(attempts).forEach(attempt -> attempt.abort(reason));
        attempts.clear();
        recovery.forget(this);
        recovering = false;
        closeAll(reason);
        reconnectLater = false;
        if (reason != CloseReason.IDLE) {
            lost |= busy;
        }
        finishWaiting(
                reason.errno(),
                reason == CloseReason.SHUTDOWN ? HealthStatus.LOCAL_ABORTED : HealthStatus.LOCAL_DROPPED);
        decided(new ConnectFailure(reason.errno(), reason.errno().text(), false));
    }

    /** Ends what has passed its limit. */
    void check(long now) {
        if (!isUnused()) {
            lastUse = now;
        }
        for (ActiveConnect attempt : List.copyOf(attempts)) {
            attempt.check(now);
        }
        for (IbConn conn : List.copyOf(conns)) {
            conn.check(now);
        }
        outdated.check(now, ni.timeoutNanos());
        expireWaiting(now);
        if (reconnectLater) {
            reconnectLater = false;
            if ((!waiting.isEmpty() || recovering) && attempts.isEmpty() && accepting.isEmpty()) {
                begin();
            }
        }
        if (retired && waiting.isEmpty() && conns.stream().allMatch(IbConn::isIdle)) {
            end(CloseReason.IDLE);
        }
    }

    private void expireWaiting(long now) {
        if (waiting.isEmpty()) {
            return;
        }
        List<Tx> late = new ArrayList<>();
        for (Tx tx : waiting) {
            if (tx.deadline() <= now) {
                late.add(tx);
            }
        }
        waiting.removeAll(late);
        for (Tx tx : late) {
            tx.fail(Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
            ni.finish(tx);
        }
    }

    /** Returns what there is to be seen of it. */
    RouteView view(boolean extra) {
        ConnectionParameters agreed = conns.isEmpty() ? null : conns.getFirst().agreed();
        return new RouteView(
                member.name(),
                member.ip(),
                ip,
                extra,
                state(),
                conns.size(),
                Kib.number(version()),
                agreed,
                messages,
                lastError);
    }

    @Override
    public String toString() {
        return ni.isBonded() ? nid() + " (" + member.name() + "→" + Ipv4.text(ip) + ")" : nid().toString();
    }
}
