package org.railyard.socklnd.handshake;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.io.FileDescriptors;
import org.railyard.socklnd.io.IoLoop;
import org.railyard.socklnd.io.LowPorts;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.io.SocketTuning;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.ConnectionRequests;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.PeerPorts;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Makes connections, in both directions, on a thread of its own. No handshake can hold up another one, and their number
 * is bounded. Its methods run on that thread, except {@link #dial}, {@link #tick}, {@link #abandon}, {@link
 * #abandonCalls} and {@link #stop}.
 */
public final class Connector implements ConnectionRequests, HandshakeOwner {
    /** So many times what it leaves to others is what one address may have of the connections. */
    private static final int MOST_OF_AN_ADDRESS = 3;

    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");

    private record Attempt(SockPeer peer, ConnectionType type, ProtocolVersion version) {}

    private final SockContext context;
    private final IoLoop loop;
    private final List<IoLoop> dataLoops;
    private final AtomicInteger nextLoop = new AtomicInteger();
    private final Function<Nid, @Nullable SockPeerTable> nis;
    private final Set<Handshake> handshakes = new LinkedHashSet<>();
    private final Map<InetAddress, Integer> callers = new HashMap<>();
    private final ArrayDeque<Attempt> queued = new ArrayDeque<>();

    /**
     * Attempts at nodes that are only known from requests in their name. Anybody can ask in the name of nodes that do
     * not exist, and an attempt at one of these takes long: at most half of all that are under way are of this kind,
     * and no more than a quarter before the others.
     */
    private final ArrayDeque<Attempt> queuedAnswers = new ArrayDeque<>();

    private final Set<Handshake> answering = new LinkedHashSet<>();
    private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
    private final FileDescriptors descriptors = new FileDescriptors();
    private int calling;
    private int called;

    /**
     * Makes a connector with its thread.
     *
     * @param dataLoops the loops that get the connections
     * @param nis finds the peers of the NI with a NID
     */
    public Connector(SockContext context, List<IoLoop> dataLoops, Function<Nid, @Nullable SockPeerTable> nis) {
        this.context = context;
        this.loop = new IoLoop("socklnd-connd");
        this.dataLoops = List.copyOf(dataLoops);
        this.nis = nis;
    }

    /** Begins an attempt as soon as there are not too many. Any thread. */
    @Override
    public void dial(SockPeer peer, ConnectionType type, ProtocolVersion version) {
        loop.execute(() -> {
            Attempt attempt = new Attempt(peer, type, version);
            (peer.isOnlyAnswered() ? queuedAnswers : queued).add(attempt);
            dialQueued();
        });
    }

    @Override
    public void prefer(SockPeer peer) {
        loop.execute(() -> {
            for (Iterator<Attempt> all = queuedAnswers.iterator(); all.hasNext(); ) {
                Attempt attempt = all.next();
                if (attempt.peer == peer) {
                    all.remove();
                    queued.add(attempt);
                }
            }
            dialQueued();
        });
    }

    /** Returns the attempt whose turn it is, null if there is none, or too many are under way. */
    private @Nullable Attempt nextAttempt() {
        int most = context.config().get(SockTunable.NCONNDS_MAX);
        if (calling >= most) {
            return null;
        }
        Attempt attempt = answering.size() < most / 4 ? queuedAnswers.poll() : null;
        attempt = attempt == null ? queued.poll() : attempt;
        return attempt == null && answering.size() < Math.max(1, most / 2) ? queuedAnswers.poll() : attempt;
    }

    private void dialQueued() {
        for (Attempt attempt = nextAttempt(); attempt != null; attempt = nextAttempt()) {
            if (!attempt.peer.dialBegins(attempt.type)) {
                continue;
            }
            try {
                begin(attempt);
            } catch (IOException e) {
                attempt.peer.dialFailed(SocketErrors.of(e));
            } catch (ErrnoException e) {
                attempt.peer.dialFailed(e.errno());
            } catch (RuntimeException | Error e) {
                // The peer would wait for ever for what becomes of it, and be called by nobody any more.
                LOG.log(System.Logger.Level.ERROR, "internal failure when " + attempt.peer + " was to be called", e);
                attempt.peer.dialFailed(Errno.EIO);
            }
        }
    }

    private void begin(Attempt attempt) throws IOException {
        SockPeer peer = attempt.peer;
        SockNi ni = peer.ni();
        if (ni.isDown() || ni.isStopping()) {
            throw new ErrnoException(Errno.ENETDOWN, "NI " + ni.nid() + " is down");
        }
        InetAddress remote = InterfaceTable.addressOf(peer.nid());
        InetAddress local = InterfaceTable.sourceFor(ni.address(), ni.ni().interfaceName(), remote);
        PeerPorts ports = context.config().peerPorts();
        int port = ports != null ? ports.portOf(peer.nid(), attempt.type) : ownPort(attempt.type);
        SocketChannel channel = LowPorts.connect(
                local,
                new InetSocketAddress(remote, port),
                context.config().sourcePorts() == SourcePorts.RESERVED,
                new SocketTuning(context.config(), ni.tos()));
        ActiveHandshake handshake = new ActiveHandshake(this, channel, remote, peer, attempt.type, attempt.version);
        calling++;
        add(handshake);
        if (peer.isOnlyAnswered()) {
            answering.add(handshake);
        }
        try {
            handshake.begin();
        } catch (IOException e) {
            handshake.fail(HandshakeRefusal.GONE, e);
        } catch (RuntimeException | Error e) {
            handshake.abandon(e);
        }
    }

    private int ownPort(ConnectionType type) {
        boolean control = type == ConnectionType.CONTROL || type == ConnectionType.ANY;
        return context.config().get(control ? SockTunable.ACCEPT_PORT : SockTunable.ACCEPT_PORT_BULK);
    }

    private void add(Handshake handshake) {
        handshakes.add(handshake);
        context.counters().handshakesOpen.incrementAndGet();
    }

    /** Accepts a caller, or refuses it. */
    void accepted(SocketChannel channel) throws IOException {
        if (!(channel.getRemoteAddress() instanceof InetSocketAddress remote)) {
            channel.close();
            return;
        }
        HandshakeRefusal refusal = refusalOf(remote);
        if (refusal != null) {
            context.refuse(
                    refusal,
                    () -> "caller " + remote.getAddress().getHostAddress() + ":" + remote.getPort() + " refused: "
                            + adviceOn(refusal, remote));
            channel.close();
            return;
        }
        channel.configureBlocking(false);
        PassiveHandshake handshake = new PassiveHandshake(this, channel, remote);
        called++;
        callers.merge(remote.getAddress(), 1, Integer::sum);
        add(handshake);
        try {
            handshake.begin();
        } catch (IOException e) {
            handshake.fail(HandshakeRefusal.GONE, e);
        }
    }

    private @Nullable HandshakeRefusal refusalOf(InetSocketAddress remote) {
        SockLndConfig config = context.config();
        if (config.accept() == AcceptPolicy.SECURE && remote.getPort() > LowPorts.HIGHEST) {
            return HandshakeRefusal.INSECURE_PORT;
        }
        if (called >= config.get(SockTunable.MAX_HANDSHAKES)
                || callers.getOrDefault(remote.getAddress(), 0) >= config.get(SockTunable.MAX_HANDSHAKES_PER_ADDRESS)) {
            return HandshakeRefusal.TOO_MANY_HANDSHAKES;
        }
        int left = config.get(SockTunable.MAX_CONNECTIONS)
                - context.counters().connectionsOpen.get();
        return left <= 0 || context.counters().connectionsWith(remote.getAddress()) / MOST_OF_AN_ADDRESS >= left
                ? HandshakeRefusal.TOO_MANY_CONNECTIONS
                : null;
    }

    private String adviceOn(HandshakeRefusal refusal, InetSocketAddress remote) {
        SockLndConfig config = context.config();
        return switch (refusal) {
            case INSECURE_PORT ->
                "port " + remote.getPort() + " is above " + LowPorts.HIGHEST
                        + "; set accept=all, or have it dial from a reserved port";
            case TOO_MANY_HANDSHAKES ->
                called + " callers are being accepted, "
                        + callers.getOrDefault(remote.getAddress(), 0)
                        + " of them from this address, limits are max_handshakes "
                        + config.get(SockTunable.MAX_HANDSHAKES) + " and max_handshakes_per_address "
                        + config.get(SockTunable.MAX_HANDSHAKES_PER_ADDRESS);
            default ->
                "there are " + context.counters().connectionsOpen.get() + " connections, "
                        + context.counters().connectionsWith(remote.getAddress())
                        + " of them with this address, which may have three times what it leaves; the limit is"
                        + " max_connections " + config.get(SockTunable.MAX_CONNECTIONS);
        };
    }

    @Override
    public void ended(Handshake handshake) {
        if (!handshakes.remove(handshake)) {
            return;
        }
        context.counters().handshakesOpen.decrementAndGet();
        if (handshake instanceof PassiveHandshake) {
            called--;
            callers.computeIfPresent(handshake.remote(), (address, count) -> count > 1 ? count - 1 : null);
        } else {
            calling--;
            answering.remove(handshake);
            loop.execute(this::dialQueued);
        }
    }

    @Override
    public Connection connect(
            SockPeer peer, SocketChannel channel, ConnectionType type, ProtocolVersion version, ByteOrder order)
            throws IOException {
        if (!(channel.getRemoteAddress() instanceof InetSocketAddress remote)) {
            throw new IOException("connection reset before it was up");
        }
        new SocketTuning(context.config(), peer.ni().tos()).afterHello(channel, type);
        IoLoop data = dataLoops.get(Math.floorMod(nextLoop.getAndIncrement(), dataLoops.size()));
        try {
            return new Connection(peer, channel, data, type, version, order, remote);
        } catch (OutOfMemoryError e) {
            // Buffers are outside the heap, and their sum is limited: that must only hurt this connection.
            throw new IOException("no memory for the buffers of one more connection", e);
        }
    }

    /** Returns the file descriptor kept in reserve. */
    FileDescriptors descriptors() {
        return descriptors;
    }

    /** Runs a task at the next tick. */
    void later(Runnable task) {
        later.add(task);
    }

    @Override
    public @Nullable SockPeerTable peersOf(Nid nid) {
        return nis.apply(nid);
    }

    /** Ends handshakes whose deadline has passed, and does what was put off. Any thread. */
    public void tick(long now) {
        for (Runnable task = later.poll(); task != null; task = later.poll()) {
            loop.execute(task);
        }
        if (context.counters().handshakesOpen.get() > 0) {
            loop.execute(() -> List.copyOf(handshakes).forEach(handshake -> handshake.expire(now)));
        }
    }

    /** Ends the handshakes of an NI whose device is gone, or that is stopping. Any thread. */
    public void abandon(SockNi ni) {
        abandon(ni, Handshake.class);
    }

    /**
     * Ends the handshakes that an NI began itself: while its link is down they would only wait, ever longer, and hold
     * up a fresh attempt when it is back. Any thread.
     */
    public void abandonCalls(SockNi ni) {
        abandon(ni, ActiveHandshake.class);
    }

    private void abandon(SockNi ni, Class<? extends Handshake> which) {
        loop.execute(() -> List.copyOf(handshakes).stream()
                .filter(handshake -> which.isInstance(handshake) && handshake.isFor(ni))
                .forEach(handshake ->
                        handshake.fail(HandshakeRefusal.NI_DOWN, new IOException("network is down: NI " + ni.nid()))));
    }

    /** Ends all handshakes and the thread. Any thread but its own. */
    public void stop() {
        loop.execute(() -> {
            queued.clear();
            queuedAnswers.clear();
            descriptors.close();
            List.copyOf(handshakes)
                    .forEach(handshake ->
                            handshake.fail(HandshakeRefusal.NI_DOWN, new IOException("the transport is stopping")));
        });
        loop.stop();
    }

    @Override
    public IoLoop loop() {
        return loop;
    }

    @Override
    public SockContext context() {
        return context;
    }
}
