package org.railyard.socklnd;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.WireFormatException;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.socklnd.wire.ZeroCopyAck;

/**
 * A peer seen through one NI: its connections, the messages that wait for one, and what is done to get one (spec 02 §4, §5, §11).
 * Thread-safe; upcalls, socket calls and handing over to the dialler happen outside its lock.
 */
final class SockPeer {
    /** What the passive side makes of a hello. */
    enum Verdict {
        /** It becomes a connection. */
        ACCEPT,
        /** We dial at the same time, and ours wins. */
        RACE,
        /** There are enough. */
        SURPLUS,
        /** The peer restarted; its old connections have to go first. */
        STALE,
        /** The peer was forgotten just now; ask a new one. */
        RETIRED
    }

    /** Time between two keepalives, ns. */
    private static final long KEEPALIVE_GAP_NANOS = 10_000_000_000L;

    private final SockContext context;
    private final SockNi ni;
    private final Dialling dialling;
    private final Nid nid;
    private final int pid;
    private final int minBulk;
    private final boolean takesTurns;
    private final ZcAcks zeroCopy;
    private final Object lock = new Object();

    // Guarded by lock; the set may be read without.
    private volatile ConnectionSet connections = ConnectionSet.EMPTY;
    private final ConnectPlan plan;
    private final WaitingRoom waiting;
    private @Nullable ProtocolVersion version;
    private long incarnation;
    private boolean retired;
    private long lastKeepaliveNanos;

    /** Whether a send need not think about missing connections. Written under lock. */
    private volatile boolean settled = true;

    private volatile long lastAliveNanos;

    /** Orders connections by their last use. Not exact when several threads send; nothing depends on that. */
    private long uses;

    SockPeer(SockContext context, SockNi ni, Dialling dialling, Nid nid, int pid) {
        this.context = context;
        this.ni = ni;
        this.dialling = dialling;
        this.nid = nid;
        this.pid = pid;
        SockLndConfig config = context.config();
        this.minBulk = config.get(Tunable.MIN_BULK);
        this.takesTurns = config.isOn(Tunable.ROUND_ROBIN);
        this.zeroCopy = new ZcAcks(context);
        this.waiting = new WaitingRoom(config.get(Tunable.MAX_QUEUED));
        long nanosPerMilli = 1_000_000L;
        this.plan = new ConnectPlan(
                ni.connsPerPeer(),
                config.get(Tunable.MIN_RECONNECT_MS) * nanosPerMilli,
                config.get(Tunable.MAX_RECONNECT_MS) * nanosPerMilli);
        this.lastAliveNanos = context.clock().nanoTime();
        this.lastKeepaliveNanos = lastAliveNanos - KEEPALIVE_GAP_NANOS;
    }

    /**
     * Sends a message, now or when there is a connection. Any thread, without locks.
     *
     * @return 0 if it was taken, a negative errno if not, or 1 if this peer was forgotten just now
     */
    int send(LndMessage message) {
        while (true) {
            Connection connection = Routing.forMessage(connections.array(), message.payloadLength(), minBulk);
            if (connection == null) {
                return sendLater(new WaitingRoom.Guest(message, deadlineOf(message)));
            }
            if (takesTurns) {
                connection.noteUse(++uses);
            }
            FrameWriter.Sent sent = connection.send(message);
            if (sent == FrameWriter.Sent.TAKEN) {
                if (!settled) {
                    dialIfDue();
                }
                return 0;
            }
            if (sent == FrameWriter.Sent.FULL) {
                return Errno.ENOBUFS.status();
            }
            // Closed: it has left the array by now, look again.
            Thread.onSpinWait();
        }
    }

    private long deadlineOf(LndMessage message) {
        long limit = message.timeoutNanos() > 0 ? message.timeoutNanos() : ni.timeoutNanos();
        return context.clock().nanoTime() + limit;
    }

    private int sendLater(WaitingRoom.Guest message) {
        ConnectionType wanted = null;
        ProtocolVersion with = null;
        synchronized (lock) {
            if (retired) {
                return 1;
            }
            if (Routing.forMessage(connections.array(), message.message().payloadLength(), minBulk) == null) {
                boolean dialable = (pid & ProcessId.USER_FLAG) == 0 && !ni.isStopping() && !ni.isDown();
                if (dialable && plan.mayDial(context.clock().nanoTime())) {
                    wanted = beginDial();
                    with = version();
                }
                if (!plan.isHopeful()) {
                    // Not now, and nothing under way: in back-off, or a peer that can not be dialled.
                    wanted = ConnectionType.NONE;
                } else if (!waiting.add(message)) {
                    return Errno.ENOBUFS.status();
                }
            } else {
                wanted = ConnectionType.ANY;
            }
        }
        if (wanted == ConnectionType.NONE) {
            context.stack().complete(message.message(), Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_ERROR);
        } else if (wanted == ConnectionType.ANY) {
            return send(message.message());
        } else if (wanted != null && with != null) {
            dialling.dial(this, wanted, with);
        }
        return 0;
    }

    private ProtocolVersion version() {
        ProtocolVersion known = version;
        return known != null ? known : ni.firstVersion(nid);
    }

    /** Begins an attempt for the next type that is missing, under lock; null if none is. */
    private @Nullable ConnectionType beginDial() {
        ConnectionType missing = missing();
        if (missing != null) {
            plan.begin();
            settled = false;
        }
        return missing;
    }

    private @Nullable ConnectionType missing() {
        ConnectionSet now = connections;
        return plan.missing(now.count(ConnectionType.CONTROL), now.count(ConnectionType.BULK_IN), now.count(ConnectionType.BULK_OUT));
    }

    /** Opens the next connection that is missing, if the peer was ever dialled and it is time. */
    private void dialIfDue() {
        ConnectionType wanted = null;
        ProtocolVersion with;
        synchronized (lock) {
            if (plan.isDialled() && !ni.isStopping() && !ni.isDown() && !retired && plan.mayDial(context.clock().nanoTime())) {
                wanted = beginDial();
            }
            settled = !plan.isDialled() || missing() == null;
            with = version();
        }
        if (wanted != null) {
            dialling.dial(this, wanted, with);
        }
    }

    /** An attempt made a connection. */
    void dialConnected(Connection connection, Hello answer) {
        synchronized (lock) {
            plan.connected();
            version = answer.version();
            incarnation = answer.srcIncarnation();
        }
        add(connection);
    }

    /** Tells, before an answer becomes a connection, whether the peer is still the one it was when the others were made. */
    boolean isSamePeer(Hello answer) {
        synchronized (lock) {
            return connections.isEmpty() || version == answer.version() && incarnation == answer.srcIncarnation();
        }
    }

    /** An attempt was answered "no, you have one". */
    void dialRefused() {
        boolean patient;
        synchronized (lock) {
            patient = plan.refused(context.clock().nanoTime(), connections.hasEachType());
        }
        if (!patient) {
            dialFailed(Errno.EALREADY);
        }
    }

    /** An attempt was answered "speak my version". */
    void dialOtherVersion(ProtocolVersion wanted) {
        synchronized (lock) {
            version = wanted;
        }
        dialAgain();
    }

    /** An attempt met a peer that is not the one it was; its old connections are closed. */
    void dialStale() {
        closeStale();
        dialAgain();
    }

    private void dialAgain() {
        boolean again;
        synchronized (lock) {
            again = plan.again();
        }
        if (again) {
            dialIfDue();
        } else {
            dialFailed(Errno.EPROTO);
        }
    }

    /** An attempt failed. Messages that hope for a connection fail with it, unless the peer is just being accepted. */
    void dialFailed(Errno errno) {
        List<WaitingRoom.Guest> lost = List.of();
        boolean dead;
        synchronized (lock) {
            plan.failed(context.clock().nanoTime());
            if (!plan.isHopeful()) {
                lost = waiting.takeAll();
            }
            dead = connections.isEmpty();
        }
        context.counters().dialsFailed.increment();
        boolean ours = ni.isDown() || ni.isStopping();
        HealthStatus health = ours ? HealthStatus.LOCAL_ABORTED : SocketErrors.healthOfConnect(errno);
        for (WaitingRoom.Guest message : lost) {
            context.stack().complete(message.message(), errno.status(), health);
        }
        if (dead && !ours) {
            context.stack().notifyPeer(ni.ni(), nid, false, false, lastAliveNanos);
        }
    }

    /**
     * Judges the hello of a caller (spec 02 §3.6). After {@link Verdict#ACCEPT}, {@link #acceptEnded} must follow.
     *
     * @param sameAddress whether both ends have the same IP address
     */
    Verdict judge(Hello hello, boolean sameAddress) {
        synchronized (lock) {
            if (retired) {
                return Verdict.RETIRED;
            }
            if (plan.isConnecting() && nid.compareTo(ni.nid()) < 0) {
                return Verdict.RACE;
            }
            if (!connections.isEmpty() && (version != hello.version() || incarnation != hello.srcIncarnation())) {
                version = null;
                return Verdict.STALE;
            }
            if (connections.size() >= context.config().get(Tunable.MAX_CONNECTIONS_PER_PEER) && !sameAddress) {
                return Verdict.SURPLUS;
            }
            if (connections.isEmpty()) {
                version = hello.version();
                incarnation = hello.srcIncarnation();
            }
            plan.acceptBegins();
            return Verdict.ACCEPT;
        }
    }

    /** The accepting ended, with a connection or without. */
    void acceptEnded(@Nullable Connection connection) {
        synchronized (lock) {
            plan.acceptEnds(connection != null);
        }
        if (connection != null) {
            add(connection);
        } else {
            dispatch();
            dialIfDue();
        }
    }

    private void add(Connection connection) {
        boolean welcome;
        synchronized (lock) {
            welcome = !ni.isStopping() && !ni.isDown() && !retired;
            if (welcome) {
                connections = connections.with(connection);
            }
        }
        context.counters().connectionsOpen.incrementAndGet();
        noteAlive(context.clock().nanoTime());
        if (welcome) {
            connection.start();
        } else {
            connection.close(Errno.ESHUTDOWN, HealthStatus.LOCAL_ERROR);
        }
        dispatch();
        dialIfDue();
    }

    /** Sends what waited, as far as there are connections for it, or gives up on it if there is no hope. */
    private void dispatch() {
        List<WaitingRoom.Guest> ready;
        synchronized (lock) {
            ready = waiting.takeAll();
        }
        for (WaitingRoom.Guest message : ready) {
            Connection connection = Routing.forMessage(connections.array(), message.message().payloadLength(), minBulk);
            int status = connection != null ? send(message.message()) : sendLater(message);
            if (status != 0) {
                context.stack().complete(message.message(), Errno.ENOBUFS.status(), HealthStatus.LOCAL_ERROR);
            }
        }
    }

    /**
     * Closes the connections with a remote address, or all, and gives back what they have not sent. Any thread, without locks.
     *
     * @param remote null for all
     */
    void closeAll(@Nullable InetAddress remote, Errno errno, HealthStatus health) {
        ConnectionSet victims;
        boolean dead;
        synchronized (lock) {
            victims = connections.only(remote);
            connections = connections.without(remote);
            dead = connections.isEmpty() && !victims.isEmpty();
            if (dead) {
                plan.lost();
            }
            settled = !plan.isDialled();
        }
        for (Connection victim : victims.array()) {
            victim.close(errno, health);
        }
        if (!victims.isEmpty()) {
            for (LndMessage message : zeroCopy.takeAll()) {
                context.stack().complete(message, errno.status(), HealthStatus.LOCAL_ERROR);
            }
        }
        if (ni.isStopping() || ni.isDown()) {
            return;
        }
        if (dead && (pid & ProcessId.USER_FLAG) == 0 && errno != Errno.ESTALE) {
            context.stack().notifyPeer(ni.ni(), nid, false, false, lastAliveNanos);
        }
        dispatch();
    }

    /** Closes the connections that a peer left behind when it restarted. */
    void closeStale() {
        closeAll(null, Errno.ESTALE, HealthStatus.LOCAL_ERROR);
    }

    /** Closes everything and completes everything; true if all of it was given back in time. */
    boolean shutdown(Errno errno, HealthStatus health, long waitMillis) {
        Connection[] open = connections.array();
        List<WaitingRoom.Guest> lost;
        closeAll(null, errno, health);
        synchronized (lock) {
            lost = waiting.takeAll();
            retired = ni.isStopping();
        }
        for (WaitingRoom.Guest message : lost) {
            context.stack().complete(message.message(), errno.status(), health);
        }
        boolean ended = true;
        for (Connection connection : open) {
            ended &= connection.awaitEnd(waitMillis);
        }
        return ended;
    }

    /** Acknowledges a zero-copy request, on the connection that fits best. */
    void sendAck(Connection carrier, long cookie) {
        boolean nonblocking = context.config().isOn(Tunable.NONBLK_ZCACK);
        Connection best = Routing.forAck(connections.array(), carrier, nonblocking);
        if (best.sendNoop(cookie)) {
            context.counters().zeroCopyAcksSent.increment();
        } else if (!carrier.isClosed()) {
            context.refuse(Refusal.BAD_FRAME, () -> "connections with " + this + " are closed: no room for an ack");
            closeAll(carrier.remote(), Errno.ENOBUFS, HealthStatus.LOCAL_ERROR);
        }
    }

    /** Takes the acks of a frame. */
    void acknowledged(FrameHeader frame, ProtocolVersion spoken) throws WireFormatException {
        ZeroCopyAck ack = ZeroCopyAck.of(frame, spoken);
        if (ack.count() == 0) {
            return;
        }
        List<LndMessage> messages = new ArrayList<>();
        boolean known = zeroCopy.acknowledge(ack, messages);
        for (LndMessage message : messages) {
            context.stack().complete(message, 0, HealthStatus.OK);
        }
        if (!known) {
            throw new WireFormatException("zero-copy ack " + ack + " names unknown cookies, expected requests that wait for one");
        }
    }

    /** Looks after time limits, keepalives and attempts that are due. Called by the worker of the transport. */
    void tick(long now) {
        long limit = ni.timeoutNanos();
        Connection[] open = connections.array();
        for (Connection connection : open) {
            if (!connection.isClosed() && connection.isStalled(now, limit)) {
                context.counters().timeouts.increment();
                closeAll(connection.remote(), Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
            }
        }
        if (zeroCopy.isOverdue(now, limit)) {
            context.counters().timeouts.increment();
            closeAll(null, Errno.ETIMEDOUT, HealthStatus.LOCAL_ERROR);
        }
        expireWaiting(now);
        keepAlive(now);
        Long retry;
        synchronized (lock) {
            retry = plan.retryTime();
        }
        if (retry != null && now - retry >= 0) {
            dialIfDue();
        }
        retireIfIdle();
    }

    /** Closes connections over which nothing gets through although the socket took it. Called by the worker of the transport. */
    void checkSilence(Map<String, Long> queues, long now) {
        for (Connection connection : connections.array()) {
            if (!connection.isClosed() && connection.isSilent(queues, now, ni.timeoutNanos())) {
                context.counters().timeouts.increment();
                closeAll(connection.remote(), Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
            }
        }
    }

    private void expireWaiting(long now) {
        List<WaitingRoom.Guest> late;
        synchronized (lock) {
            late = waiting.takeExpired(now);
        }
        for (WaitingRoom.Guest message : late) {
            context.stack().complete(message.message(), Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
        }
    }

    private void keepAlive(long now) {
        long silence = context.nanos(Tunable.KEEPALIVE);
        if (silence == 0 || now - lastAliveNanos < silence || now - lastKeepaliveNanos < KEEPALIVE_GAP_NANOS) {
            return;
        }
        Connection connection = Routing.forKeepalive(connections.array());
        if (connection != null && connection.unsentBytes() == 0 && connection.sendNoop(ZeroCopyAck.KEEPALIVE_COOKIE)) {
            lastKeepaliveNanos = now;
            context.counters().keepalivesSent.increment();
        }
    }

    /** Forgets a peer that nothing is known about any more. */
    private void retireIfIdle() {
        synchronized (lock) {
            if (!connections.isEmpty() || !waiting.isEmpty() || !plan.isIdle(context.clock().nanoTime())) {
                return;
            }
            retired = true;
        }
        ni.peers().remove(this);
    }

    void noteAlive(long nanos) {
        lastAliveNanos = nanos;
    }

    /** Returns a number that changes whenever something is received. */
    long readEvents() {
        return lastAliveNanos;
    }

    ZcAcks zeroCopy() {
        return zeroCopy;
    }

    SockContext context() {
        return context;
    }

    SockNi ni() {
        return ni;
    }

    Nid nid() {
        return nid;
    }

    int pid() {
        return pid;
    }

    @Override
    public String toString() {
        return new ProcessId(nid, pid).toString();
    }
}
