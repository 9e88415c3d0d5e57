package org.railyard.socklnd.peer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.connection.ConnectionOwner;
import org.railyard.socklnd.connection.FrameWriter;
import org.railyard.socklnd.io.FileDescriptors;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.socklnd.wire.ZeroCopyAck;

/**
 * A peer seen through one NI: its connections, the messages that wait for one, and what is done to get one (spec 02 §4,
 * §5, §11). Thread-safe; upcalls, socket calls and handing over to the dialler happen outside its lock.
 */
public final class SockPeer implements ConnectionOwner {
    /** What the passive side makes of a hello. */
    public enum Decision {
        /** It becomes a connection. */
        ACCEPT,
        /** We dial at the same time, and ours wins. */
        RACE,
        /** There are enough. */
        SURPLUS,
        /** The peer restarted; its old connections have to go first. */
        STALE,
        /** The peer was forgotten just now; ask a new one. */
        RETIRED,
        /** The NI is stopping. */
        STOPPING
    }

    /** What became of a connection whose handshake is done. */
    private enum Joined {
        /** It is the only one. */
        FIRST,
        /** There are others. */
        ANOTHER,
        /** The NI stops or is gone: it is closed. */
        NOT
    }

    /** Status of a send to a peer that was forgotten: look it up again. */
    public static final int RETIRED = 1;

    private static final int SEND_NOW = 2;

    private final SockContext context;
    private final SockNi ni;
    private final ConnectionRequests dialling;
    private final Consumer<SockPeer> forget;
    private final NidClaims claims;
    private final Nid nid;
    private final int pid;
    private final int minBulk;
    private final boolean takesTurns;
    private final ZcAcks<Connection> zeroCopy;
    private final PeerWatch watch;
    private final PeerAcks acks;
    private final InFlightBatches batches = new InFlightBatches();
    private final Object lock = new Object();

    /** Written under lock. */
    private volatile ConnectionSet connections = ConnectionSet.EMPTY;

    /** Connections that were taken out of the set, and may not have given back everything yet. */
    @GuardedBy("lock")
    private final List<Connection> ending = new ArrayList<>();

    @GuardedBy("lock")
    private final ConnectPlan plan;

    /** Since when the attempt that was wanted last has waited for its turn. */
    @GuardedBy("lock")
    private long queuedNanos;

    @GuardedBy("lock")
    private final PendingQueue waiting;

    @GuardedBy("lock")
    private @Nullable ProtocolVersion version;

    @GuardedBy("lock")
    private long incarnation;

    @GuardedBy("lock")
    private boolean retired;

    /** Since when there are connections, or none. */
    @GuardedBy("lock")
    private long stateNanos;

    /** Why the last attempt failed or the last connection broke, since one was made. */
    @GuardedBy("lock")
    private @Nullable Errno failure;

    /** Whether a send need not think about missing connections. Written under lock. */
    private volatile boolean settled = true;

    /** Whether there was a connection, or this node had more to say to it than answers. Written under lock. */
    private volatile boolean wanted;

    private volatile long lastAliveNanos;

    /** Orders connections by their last use. Not exact when several threads send; nothing depends on that. */
    private long uses;

    SockPeer(
            SockContext context,
            SockNi ni,
            ConnectionRequests dialling,
            Nid nid,
            int pid,
            Consumer<SockPeer> forget,
            NidClaims claims) {
        this.context = context;
        this.ni = ni;
        this.dialling = dialling;
        this.forget = forget;
        this.claims = claims;
        this.nid = nid;
        this.pid = pid;
        SockLndConfig config = context.config();
        this.minBulk = config.get(SockTunable.MIN_BULK);
        this.takesTurns = config.isOn(SockTunable.ROUND_ROBIN);
        this.zeroCopy = new ZcAcks<>(context);
        this.waiting = new PendingQueue(config.get(SockTunable.MAX_QUEUED));
        long nanosPerMilli = 1_000_000L;
        this.plan = new ConnectPlan(
                ni.connsPerPeer(),
                config.get(SockTunable.MIN_RECONNECT_MS) * nanosPerMilli,
                config.get(SockTunable.MAX_RECONNECT_MS) * nanosPerMilli);
        this.lastAliveNanos = context.clock().nanoTime();
        this.stateNanos = lastAliveNanos;
        this.watch = new PeerWatch(this, lastAliveNanos);
        this.acks = new PeerAcks(this, zeroCopy);
    }

    /**
     * Sends a message, now or when there is a connection. Any thread, without locks.
     *
     * @return 0 if it was taken, a negative errno if not, or {@link #RETIRED} if this peer was forgotten just now
     */
    public int send(LndMessage message) {
        boolean down = ni.isDown();
        while (true) {
            Connection connection = ConnectionChoice.forMessage(connections.array(), message.payloadLength(), minBulk);
            if (connection == null) {
                int status = sendLater(new PendingQueue.Entry(message, deadlineOf(message)));
                if (status == SEND_NOW) {
                    continue;
                }
                return status;
            }
            if (takesTurns) {
                connection.noteUse(++uses);
            }
            FrameWriter.Sent sent = connection.send(message);
            if (sent == FrameWriter.Sent.TAKEN) {
                if (!settled) {
                    dialIfDue();
                }
                recallOvertaken(connection, down);
                return 0;
            }
            if (sent == FrameWriter.Sent.FULL) {
                return Errno.ENOBUFS.status();
            }
            if (sent == FrameWriter.Sent.UNREADABLE) {
                return Errno.EFAULT.status();
            }
            // Closed: it has left the array by now, look again.
            Thread.onSpinWait();
        }
    }

    /**
     * Sends the small messages to this peer that an array begins with, all over one connection, if there is one and
     * none is missing. Any thread, without locks.
     *
     * @return how many were taken
     */
    public int sendSmall(@Nullable LndMessage[] messages, int count) {
        Connection connection = settled ? ConnectionChoice.forMessage(connections.array(), 0, minBulk) : null;
        if (connection == null) {
            return 0;
        }
        int small = 0;
        while (small < count && isSmallToHere(messages[small], connection)) {
            small++;
        }
        if (takesTurns && small > 0) {
            connection.noteUse(++uses);
        }
        boolean down = ni.isDown();
        int taken = connection.sendAll(messages, small);
        recallOvertaken(connection, down);
        return taken;
    }

    /**
     * The link of the NI may have gone down after it was chosen, and {@link #linkDown} may have come before it:
     * it takes another path then, as those before it do.
     *
     * @param down whether the link was down already: then the message is sent all the same
     */
    private void recallOvertaken(Connection connection, boolean down) {
        if (!down && ni.isDown()) {
            connection.recall();
        }
    }

    private boolean isSmallToHere(@Nullable LndMessage message, Connection connection) {
        return message != null
                && connection.version().messageHeadBytes() + message.payloadLength() < minBulk
                && message.fragmentCount() <= Wire.MAX_FRAGMENTS
                && message.nextHop().equals(nid)
                && message.nextHopPid() == pid;
    }

    private static boolean isAnswer(LndMessage message) {
        MessageType type = message.header().type();
        return type == MessageType.ACK || type == MessageType.REPLY;
    }

    /** Tells whether there was no connection yet, and all that there is for it are answers to what came in its name. */
    public boolean isOnlyAnswered() {
        return !wanted;
    }

    private long deadlineOf(LndMessage message) {
        long limit = message.timeoutNanos() > 0 ? message.timeoutNanos() : ni.timeoutNanos();
        return context.clock().nanoTime() + limit;
    }

    /** Lets a message wait for a connection, and sees to it that there will be one. */
    private int sendLater(PendingQueue.Entry message) {
        ConnectionType missing = null;
        ProtocolVersion with;
        boolean expected;
        boolean waits;
        boolean preferred = false;
        synchronized (lock) {
            if (ni.isStopping()) {
                return Errno.ESHUTDOWN.status();
            }
            if (retired) {
                return RETIRED;
            }
            if (ConnectionChoice.forMessage(
                            connections.array(), message.message().payloadLength(), minBulk)
                    != null) {
                // One came up just now.
                return SEND_NOW;
            }
            if (!wanted && !isAnswer(message.message())) {
                wanted = true;
                preferred = plan.isQueued();
            }
            boolean dialable = isNode() && !ni.isDown();
            if (dialable && plan.mayDial(context.clock().nanoTime())) {
                missing = beginDial();
            }
            with = version();
            expected = isExpecting();
            waits = expected && waiting.add(message);
        }
        if (missing != null) {
            dialling.dial(this, missing, with);
        } else if (preferred) {
            dialling.prefer(this);
        }
        if (!expected) {
            refuse(message.message());
        }
        return waits || !expected ? 0 : Errno.ENOBUFS.status();
    }

    /**
     * Gives a message back for which no connection is under way: stopping, without a link, in back-off, or a peer that
     * can not be dialled.
     */
    private void refuse(LndMessage message) {
        if (ni.isStopping()) {
            context.stack().complete(message, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ABORTED);
        } else if (ni.isDown()) {
            context.stack().complete(message, Errno.ENETDOWN.status(), HealthStatus.LOCAL_NO_ROUTE);
        } else {
            context.stack().complete(message, Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED);
        }
    }

    /** Tells whether there will be a connection; without a link what was refused is not tried again. */
    @GuardedBy("lock")
    private boolean isExpecting() {
        return plan.isExpecting(!ni.isDown());
    }

    @GuardedBy("lock")
    private ProtocolVersion version() {
        ProtocolVersion known = version;
        return known != null ? known : ni.firstVersion(nid);
    }

    /** Begins an attempt for the next type that is missing; null if none is. */
    @GuardedBy("lock")
    private @Nullable ConnectionType beginDial() {
        ConnectionType missing = missing();
        if (missing != null) {
            plan.queue();
            queuedNanos = context.clock().nanoTime();
            settled = false;
        }
        return missing;
    }

    @GuardedBy("lock")
    private @Nullable ConnectionType missing() {
        ConnectionSet now = connections;
        return plan.missing(
                now.count(ConnectionType.CONTROL),
                now.count(ConnectionType.BULK_IN),
                now.count(ConnectionType.BULK_OUT));
    }

    /** Opens what else is missing, unless all connections were dropped meanwhile: then the next message opens them. */
    private void dialRest() {
        boolean dropped;
        synchronized (lock) {
            dropped = connections.isEmpty() && waiting.isEmpty();
        }
        if (!dropped) {
            dialIfDue();
        }
    }

    /** Opens the next connection that is missing, if the peer was ever dialled and it is time. */
    private void dialIfDue() {
        ConnectionType wanted = null;
        ProtocolVersion with;
        synchronized (lock) {
            if (plan.isDialled()
                    && !ni.isStopping()
                    && !ni.isDown()
                    && !retired
                    && plan.mayDial(context.clock().nanoTime())) {
                wanted = beginDial();
            }
            settled = !plan.isDialled() || missing() == null;
            with = version();
        }
        if (wanted != null) {
            dialling.dial(this, wanted, with);
        }
    }

    /**
     * The turn of an attempt has come; tells whether it is still wanted. It is not when the peer calls or has called
     * meanwhile, or when it has waited so long that nobody else does any more.
     */
    public boolean dialBegins(ConnectionType type) {
        synchronized (lock) {
            boolean late = context.clock().nanoTime() - queuedNanos >= ni.timeoutNanos();
            boolean forgotten = late && connections.isEmpty() && waiting.isEmpty();
            if (!plan.isAccepting() && missing() == type && !forgotten) {
                plan.begin();
                return true;
            }
            plan.withdraw();
        }
        dialRest();
        return false;
    }

    /** An attempt made a connection. */
    public void dialConnected(Connection connection, Hello answer) {
        Joined joined;
        synchronized (lock) {
            plan.connected();
            version = answer.version();
            incarnation = answer.srcIncarnation();
            joined = join(connection);
        }
        begin(connection, joined);
    }

    /** Takes note of who speaks for the NID, and tells if two nodes do. */
    private void heard(Hello hello) {
        if (isNode() && claims.heard(nid, hello.srcIncarnation())) {
            String address = nid.toString().substring(0, nid.toString().indexOf('@'));
            context.warn(
                    "two nodes",
                    "two nodes, or two programs on one, have the NID " + nid + ": by the times of start in their calls"
                            + " they take turns. Each breaks the connections of the other, and answers go astray."
                            + " 'ip neigh show to " + address + "' tells which machine has the address now,"
                            + " 'lnetctl doctor --probe' there whether another one has it, too");
        }
    }

    /**
     * Tells, before an answer becomes a connection, whether the peer is still the one it was when the others were made.
     */
    public boolean isSamePeer(Hello answer) {
        heard(answer);
        synchronized (lock) {
            return connections.isEmpty() || version == answer.version() && incarnation == answer.srcIncarnation();
        }
    }

    /** An attempt was answered "no, you have one". */
    public void dialRefused() {
        boolean goesOn;
        synchronized (lock) {
            goesOn = plan.refused(context.clock().nanoTime(), connections.hasEachType());
        }
        if (!goesOn) {
            dialFailed(Errno.EALREADY);
        }
    }

    /** An attempt was answered "speak my version". */
    public void dialOtherVersion(ProtocolVersion wanted) {
        synchronized (lock) {
            version = wanted;
        }
        dialAgain();
    }

    /** An attempt met a peer that is not the one it was; its old connections are closed. */
    public void dialStale() {
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

    /** An attempt failed. Messages that wait for a connection fail with it, unless the peer is just being accepted. */
    public void dialFailed(Errno errno) {
        List<PendingQueue.Entry> lost = List.of();
        boolean dead;
        synchronized (lock) {
            plan.failed(context.clock().nanoTime());
            failure = errno;
            if (!isExpecting()) {
                lost = waiting.takeAll();
            }
            dead = connections.isEmpty();
            batches.begin();
        }
        context.counters().dialsFailed.increment();
        if (SocketErrors.isLackOfDescriptors(errno)) {
            context.refuse(
                    HandshakeRefusal.NO_DESCRIPTORS,
                    () -> this + " was not connected: " + errno.text() + "; " + FileDescriptors.ADVICE);
        }
        boolean ours = ni.isDown() || ni.isStopping();
        Errno told = ni.isStopping() ? Errno.ESHUTDOWN : errno;
        HealthStatus health = ours ? HealthStatus.LOCAL_ABORTED : SocketErrors.healthOfConnect(errno);
        giveBack(lost, told, health);
        if (dead && !SocketErrors.isOurs(errno, health)) {
            context.stack().notifyPeer(ni.ni(), nid, false, false, lastAliveNanos);
        }
    }

    /**
     * Decides about the hello of a caller (spec 02 §3.6). After {@link Decision#ACCEPT}, {@link #acceptEnded} must
     * follow.
     *
     * @param sameAddress whether both ends have the same IP address
     */
    public Decision decide(Hello hello, boolean sameAddress) {
        heard(hello);
        synchronized (lock) {
            if (ni.isStopping()) {
                return Decision.STOPPING;
            }
            if (retired) {
                return Decision.RETIRED;
            }
            if (plan.isConnecting() && nid.compareTo(ni.nid()) < 0) {
                return Decision.RACE;
            }
            if (!connections.isEmpty() && (version != hello.version() || incarnation != hello.srcIncarnation())) {
                return Decision.STALE;
            }
            if (connections.size() >= context.config().get(SockTunable.MAX_CONNECTIONS_PER_PEER) && !sameAddress) {
                return Decision.SURPLUS;
            }
            if (connections.isEmpty()) {
                version = hello.version();
                incarnation = hello.srcIncarnation();
            }
            plan.acceptBegins();
            return Decision.ACCEPT;
        }
    }

    /** The accepting ended with a connection to the peer that said {@code hello}. */
    public void acceptEnded(Connection connection, Hello hello) {
        Joined joined = null;
        synchronized (lock) {
            // While this hello was answered, one may have come from what the peer has become since.
            boolean outdated = version != hello.version() || incarnation != hello.srcIncarnation();
            plan.acceptEnds(!outdated);
            if (!outdated) {
                joined = join(connection);
            }
        }
        if (joined == null) {
            context.counters().connected(connection.remote());
            connection.close(Errno.ESTALE, SocketErrors.healthOfBreak(Errno.ESTALE));
            dispatch();
            dialIfDue();
        } else {
            begin(connection, joined);
        }
    }

    /** The accepting ended without a connection. */
    public void acceptFailed() {
        synchronized (lock) {
            plan.acceptEnds(false);
        }
        dispatch();
        dialIfDue();
    }

    /**
     * Takes a connection into the set, under the lock under which its handshake ended: a peer without connections and
     * handshakes can be forgotten at any moment.
     */
    @GuardedBy("lock")
    private Joined join(Connection connection) {
        if (ni.isStopping() || ni.isGone() || retired) {
            return Joined.NOT;
        }
        boolean first = connections.isEmpty();
        connections = connections.with(connection);
        failure = null;
        wanted = true;
        if (first) {
            stateNanos = context.clock().nanoTime();
        }
        return first ? Joined.FIRST : Joined.ANOTHER;
    }

    private void begin(Connection connection, Joined joined) {
        if (joined == Joined.FIRST && isNode()) {
            context.stack().connected(ni.ni(), nid);
            tellOvertaken(true);
        }
        context.counters().connected(connection.remote());
        noteAlive(context.clock().nanoTime());
        if (joined == Joined.NOT) {
            connection.close(Errno.ESHUTDOWN, HealthStatus.LOCAL_ERROR);
        } else {
            connection.start();
        }
        dispatch();
        dialRest();
    }

    /** Sends what waited, as far as there are connections for it, or completes it with an error if none is expected. */
    private void dispatch() {
        List<PendingQueue.Entry> ready;
        synchronized (lock) {
            ready = waiting.takeAll();
            batches.begin();
        }
        try {
            for (PendingQueue.Entry message : ready) {
                int status = sendLater(message);
                if (status == SEND_NOW) {
                    status = send(message.message());
                }
                if (status != 0) {
                    Errno errno = status == RETIRED ? Errno.ESHUTDOWN : Errno.ofStatus(status);
                    boolean ended = errno == Errno.ESHUTDOWN;
                    HealthStatus health = ended ? HealthStatus.LOCAL_ABORTED : HealthStatus.LOCAL_ERROR;
                    context.stack().complete(message.message(), errno.status(), health);
                }
            }
        } finally {
            batches.end();
        }
    }

    /** Gives back messages that were taken out under lock, where the batch began. */
    private void giveBack(List<PendingQueue.Entry> messages, Errno errno, HealthStatus health) {
        try {
            for (PendingQueue.Entry message : messages) {
                context.stack().complete(message.message(), errno.status(), health);
            }
        } finally {
            batches.end();
        }
    }

    /**
     * Closes all connections and gives back what they have not sent. Any thread, without locks.
     *
     * @param health of a message that is on its way
     */
    public void closeAll(Errno errno, HealthStatus health) {
        close(null, errno, health);
    }

    @Override
    public void connectionFailed(Connection failed, Errno errno, HealthStatus health) {
        close(failed, errno, health);
    }

    @Override
    public void connectionBroke(Connection broken, IOException cause, HealthStatus health) {
        if (!ni.isStopping() && connections.contains(broken)) {
            context.warn(
                    "broken " + nid,
                    "connection with " + broken + " broke: " + cause.getMessage()
                            + "; messages that its socket had taken may be lost");
        }
        close(broken, SocketErrors.of(cause), health);
    }

    /** Nothing gets through over a connection, or what it has begun does not go on. */
    void connectionTimedOut(Connection silent) {
        context.counters().timeouts.increment();
        if (connections.contains(silent)) {
            context.warn(
                    "silent " + nid,
                    "the connection with " + silent
                            + " has timed out and is closed: the peer, or the network on the way to it, may be down");
        }
        close(silent, Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
    }

    /** Closes those that share the fate of the one that failed, if it is still among them; all if that is null. */
    private void close(@Nullable Connection failed, Errno errno, HealthStatus health) {
        ConnectionSet victims;
        boolean dead;
        // A peer answers the first close of a shutdown with closes of its own: they are not the reason.
        boolean stopping = ni.isStopping();
        Errno told = stopping ? Errno.ESHUTDOWN : errno;
        HealthStatus toldHealth = stopping ? HealthStatus.LOCAL_ABORTED : health;
        synchronized (lock) {
            if (failed != null && !connections.contains(failed)) {
                // It was closed meanwhile; those that are there now were made after it and have nothing to do with it.
                return;
            }
            InetAddress remote = failed == null ? null : failed.remote();
            victims = connections.only(remote);
            for (Connection victim : victims.array()) {
                victim.noteCause(told, toldHealth);
            }
            connections = connections.without(remote);
            ending.addAll(List.of(victims.array()));
            dead = connections.isEmpty() && !victims.isEmpty();
            if (dead) {
                plan.lost();
                stateNanos = context.clock().nanoTime();
                failure = told;
            }
            settled = !plan.isDialled();
        }
        for (Connection victim : victims.array()) {
            victim.close(told, toldHealth);
        }
        if (!victims.isEmpty()) {
            for (LndMessage message : zeroCopy.takeLeft(victims::contains)) {
                context.stack().complete(message, told.status(), SocketErrors.healthOfUnacknowledged(toldHealth));
            }
        }
        if (dead && isNode()) {
            // While our own link is down nothing is known about the peer; one that has restarted lives.
            boolean ours = stopping || ni.isDown() || errno == Errno.ESTALE || SocketErrors.isOurs(errno, health);
            if (ours) {
                context.stack().disconnected(ni.ni(), nid);
            } else {
                context.stack().notifyPeer(ni.ni(), nid, false, false, lastAliveNanos);
            }
            tellOvertaken(false);
        }
        if (!stopping && !ni.isGone()) {
            dispatch();
        }
    }

    /**
     * Tells the stack what is so now if that is not what the caller told it: whoever opened or closed a connection
     * meanwhile may have told so before.
     */
    private void tellOvertaken(boolean toldUp) {
        boolean up = toldUp;
        while (connections.isEmpty() == up) {
            up = !up;
            if (up) {
                context.stack().connected(ni.ni(), nid);
            } else {
                context.stack().disconnected(ni.ni(), nid);
            }
        }
    }

    /** A caller told that the peer restarted: what it left behind is closed, and which version it speaks is open. */
    public void restarted() {
        synchronized (lock) {
            version = null;
        }
        closeStale();
    }

    private void closeStale() {
        closeAll(Errno.ESTALE, SocketErrors.healthOfBreak(Errno.ESTALE));
    }

    /** Closes everything and completes everything; true if all of it was given back in time. */
    public boolean shutdown(Errno errno, HealthStatus health, long waitMillis) {
        List<PendingQueue.Entry> lost;
        List<Connection> closed;
        closeAll(errno, health);
        synchronized (lock) {
            // Also those that failed just before and are being closed by the thread of another one.
            closed = List.copyOf(ending);
            lost = waiting.takeAll();
            retired = ni.isStopping();
            batches.begin();
        }
        giveBack(lost, errno, health);
        boolean ended = batches.awaitNone(waitMillis);
        for (Connection connection : closed) {
            ended &= connection.awaitEnd(waitMillis);
        }
        return ended;
    }

    /**
     * The link of the NI is down. The connections stay, with what is in their sockets; messages of which no byte has
     * left are given back, so that they can take another path.
     */
    public void linkDown() {
        List<PendingQueue.Entry> waited;
        synchronized (lock) {
            waited = waiting.takeAll();
            batches.begin();
        }
        giveBack(waited, Errno.ENETDOWN, HealthStatus.LOCAL_ABORTED);
        for (Connection connection : connections.array()) {
            connection.recall();
        }
    }

    /** Sends a keepalive over each connection: the machine of a peer that has closed it answers with a reset. */
    public void askAll() {
        for (Connection connection : connections.array()) {
            if (connection.version().hasKeepalive()) {
                connection.sendNoop(ZeroCopyAck.KEEPALIVE_COOKIE);
            }
        }
    }

    /** The link of the NI is back: failures of the time before say nothing any more. */
    public void linkUp() {
        synchronized (lock) {
            plan.forgetFailures();
        }
        dialIfDue();
    }

    /** Opens the next missing connection if the time has come to try again after a refusal. */
    void dialIfRetryDue(long now) {
        Long retry;
        synchronized (lock) {
            retry = plan.retryTime();
        }
        if (retry != null && now - retry >= 0) {
            dialIfDue();
        }
    }

    /** Completes messages with an error that waited too long for a connection. */
    void expireWaiting(long now) {
        List<PendingQueue.Entry> late;
        boolean notCalled;
        synchronized (lock) {
            late = waiting.takeExpired(now);
            notCalled = plan.isQueued();
            batches.begin();
        }
        try {
            for (PendingQueue.Entry message : late) {
                HealthStatus health = notCalled ? HealthStatus.LOCAL_TIMEOUT : healthOfLate(message.message());
                context.stack().complete(message.message(), Errno.ETIMEDOUT.status(), health);
            }
        } finally {
            batches.end();
        }
    }

    /**
     * In the time that the transport gives it the peer might have answered; a shorter time of a message's own says
     * nothing about the peer.
     */
    private HealthStatus healthOfLate(LndMessage message) {
        long own = message.timeoutNanos();
        return own > 0 && own < ni.timeoutNanos() ? HealthStatus.LOCAL_TIMEOUT : HealthStatus.NETWORK_TIMEOUT;
    }

    /** Forgets the connections that have given everything back. */
    void forgetEnded() {
        synchronized (lock) {
            ending.removeIf(Connection::hasEnded);
        }
    }

    /** Forgets a peer that nothing is known about any more. */
    void retireIfIdle(long now) {
        synchronized (lock) {
            boolean holdsMessages = !waiting.isEmpty() || batches.any();
            if (!connections.isEmpty() || !ending.isEmpty() || holdsMessages || !plan.isIdle(now)) {
                return;
            }
            retired = true;
        }
        forget.accept(this);
    }

    @Override
    public void noteAlive(long nanos) {
        lastAliveNanos = nanos;
    }

    @Override
    public long lastAliveNanos() {
        return lastAliveNanos;
    }

    Connection[] connections() {
        return connections.array();
    }

    /** Returns what there is with the peer now. */
    public PeerConnections snapshot() {
        synchronized (lock) {
            long now = context.clock().nanoTime();
            Map<String, Integer> open = new LinkedHashMap<>();
            open.put("control", connections.count(ConnectionType.CONTROL));
            open.put("bulk in", connections.count(ConnectionType.BULK_IN));
            open.put("bulk out", connections.count(ConnectionType.BULK_OUT));
            int untyped = connections.count(ConnectionType.ANY);
            if (untyped > 0) {
                open.put("any", untyped);
            }
            return new PeerConnections(
                    nid,
                    pid,
                    state(),
                    open,
                    plan.connsPerPeer(),
                    Math.max(0, now - stateNanos),
                    Math.max(0, now - lastAliveNanos),
                    waiting.size(),
                    failure,
                    plan.waitNanos(now));
        }
    }

    @GuardedBy("lock")
    private PeerConnections.State state() {
        if (!connections.isEmpty()) {
            return plan.hasFailed() && missing() != null
                    ? PeerConnections.State.INCOMPLETE
                    : PeerConnections.State.CONNECTED;
        }
        if (isExpecting()) {
            return PeerConnections.State.CONNECTING;
        }
        return plan.hasFailed() ? PeerConnections.State.FAILED : PeerConnections.State.NONE;
    }

    /** Tells whether it is LNet of a node, and no process, of which there is nothing to dial. */
    private boolean isNode() {
        return (pid & ProcessId.USER_FLAG) == 0;
    }

    /** Returns what looks after time limits of the peer. */
    public PeerWatch watch() {
        return watch;
    }

    @Override
    public void sendAck(Connection carrier, long cookie) {
        ConnectionSet now = connections;
        // Once the carrier is closed the peer waits for no ack of it, and takes one over a new connection for a breach.
        if (now.contains(carrier)) {
            acks.send(now.array(), carrier, cookie);
        }
    }

    @Override
    public void acknowledged(FrameHeader frame, ProtocolVersion with) throws WireFormatException {
        acks.received(frame, with);
    }

    @Override
    public boolean wantsAck(LndMessage message) {
        return zeroCopy.wants(message);
    }

    @Override
    public long newCookie(Connection carrier, LndMessage message) {
        return zeroCopy.add(carrier, message);
    }

    @Override
    public @Nullable LndMessage left(long cookie) {
        return zeroCopy.left(cookie);
    }

    @Override
    public @Nullable LndMessage forgetCookie(long cookie) {
        return zeroCopy.forget(cookie);
    }

    ZcAcks<Connection> zeroCopy() {
        return zeroCopy;
    }

    @Override
    public SockContext context() {
        return context;
    }

    /** Returns the NI that the peer is reached over. */
    public SockNi ni() {
        return ni;
    }

    @Override
    public LndNi lndNi() {
        return ni.ni();
    }

    @Override
    public Nid nid() {
        return nid;
    }

    @Override
    public int pid() {
        return pid;
    }

    @Override
    public String toString() {
        return new ProcessId(nid, pid).toString();
    }
}
