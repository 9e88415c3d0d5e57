package org.railyard.socklnd;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.LongestLimit;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.handshake.Acceptor;
import org.railyard.socklnd.io.LowPorts;
import org.railyard.socklnd.io.ProcNetTcp;
import org.railyard.socklnd.io.SendQueues;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.stats.SockLndStats;
import org.railyard.socklnd.tune.NiTunables;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;

/** LNet over TCP: speaks with kernel nodes and with its like (spec 02). Thread-safe. */
public final class SockLnd implements Lnd {
    /** How long a shutdown waits until the messages of one connection are given back, ms. */
    private static final long SHUTDOWN_MILLIS = 5000;

    private final SockContext context;
    private final Host host;
    private final SendQueues queues;
    private final InterfaceTable interfaces = new InterfaceTable(SockLndConfig.CLASS_NET);
    private final ConcurrentHashMap<LndNi, SockPeerTable> nis = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Nid, SockPeerTable> byNid = new ConcurrentHashMap<>();
    private final LongestLimit limit;
    private final Object lifecycle = new Object();

    @GuardedBy("lifecycle")
    private @Nullable SockThreads threads;

    @GuardedBy("lifecycle")
    private @Nullable Acceptor acceptor;

    /**
     * Makes a transport without NIs; it has no threads yet.
     *
     * @param config the tunables
     * @param stack who gets messages and completions
     * @param host gives time and the worker for time limits
     */
    public SockLnd(SockLndConfig config, LndUpcalls stack, Host host) {
        this(config, stack, host, new ProcNetTcp(Path.of("/proc/self/net")));
    }

    SockLnd(SockLndConfig config, LndUpcalls stack, Host host, SendQueues queues) {
        this.host = host;
        this.queues = queues;
        this.context = new SockContext(config, stack, host.clock());
        this.limit = new LongestLimit(config.get(SockTunable.SOCK_TIMEOUT));
    }

    @Override
    public NetType type() {
        return NetType.TCP;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        NiTunables.check(request.lndTunables());
        return interfaces.resolve(request);
    }

    @Override
    public void startup(LndNi ni) {
        NiTunables.check(ni.lndTunables());
        synchronized (lifecycle) {
            if (byNid.containsKey(ni.nid())) {
                throw new ErrnoException(Errno.EEXIST, "NI " + ni.nid() + " is started already");
            }
            SockThreads running = threads;
            if (running == null) {
                running = new SockThreads(context, host, queues, () -> List.copyOf(nis.values()), byNid::get);
                threads = running;
                acceptor = new Acceptor(running.connector(), context.config());
            }
            try {
                start(ni, running);
            } catch (ErrnoException e) {
                stopIfIdle();
                throw e;
            }
        }
    }

    @GuardedBy("lifecycle")
    private void start(LndNi ni, SockThreads running) {
        SockNi started = new SockNi(ni, context, interfaces, host.clock().wallNanos());
        if (context.config().sourcePorts() == SourcePorts.RESERVED) {
            LowPorts.check(started.address());
        }
        SockPeerTable peers = new SockPeerTable(started, context, running.connector());
        nis.put(ni, peers);
        byNid.put(ni.nid(), peers);
        try {
            acceptor().open(started.address());
        } catch (ErrnoException e) {
            nis.remove(ni);
            byNid.remove(ni.nid());
            throw e;
        }
        updateLimit();
    }

    @GuardedBy("lifecycle")
    private Acceptor acceptor() {
        Acceptor running = acceptor;
        if (running == null) {
            throw new IllegalStateException("no acceptor without NIs");
        }
        return running;
    }

    @Override
    public void shutdown(LndNi ni) {
        SockPeerTable stopped;
        SockThreads running;
        long wait;
        synchronized (lifecycle) {
            stopped = nis.get(ni);
            if (stopped == null) {
                return;
            }
            stopped.ni().stop();
            byNid.remove(ni.nid());
            acceptor().close(stopped.ni().address());
            running = threads;
            wait = running != null && running.isOwnThread() ? 0 : SHUTDOWN_MILLIS;
        }
        for (SockPeer peer : stopped.all()) {
            if (!peer.shutdown(Errno.ESHUTDOWN, HealthStatus.LOCAL_ABORTED, wait) && wait > 0) {
                System.getLogger("org.railyard.socklnd")
                        .log(System.Logger.Level.WARNING, "messages to " + peer + " were not given back in time");
            }
            stopped.remove(peer);
        }
        if (running != null) {
            running.connector().abandon(stopped.ni());
        }
        // Who called meanwhile was refused, what was to be sent meanwhile was not taken; both may be known since.
        stopped.close();
        nis.remove(ni);
        updateLimit();
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        SockPeerTable peers = nis.get(ni);
        if (peers == null || peers.ni().isStopping()) {
            return Errno.ESHUTDOWN.status();
        }
        if (message.fragmentCount() > Wire.MAX_FRAGMENTS || message.payloadLength() > Wire.MTU) {
            return Errno.EINVAL.status();
        }
        if (peers.ni().isGone()) {
            context.stack().complete(message, Errno.ENETDOWN.status(), HealthStatus.LOCAL_NO_ROUTE);
            return 0;
        }
        while (true) {
            SockPeer peer = peers.findOrAdd(message.nextHop(), message.nextHopPid());
            if (peer == null) {
                return Errno.ENOBUFS.status();
            }
            int status = peer.send(message);
            if (status != SockPeer.RETIRED) {
                return status;
            }
            // It was forgotten between the two lines; the next look makes a new one.
            peers.remove(peer);
        }
    }

    @Override
    public int sendSome(LndNi ni, @Nullable LndMessage[] messages, int count) {
        SockPeerTable peers = nis.get(ni);
        LndMessage first = messages[0];
        if (peers == null || peers.ni().isStopping() || peers.ni().isGone() || first == null) {
            return 0;
        }
        SockPeer peer = peers.find(first.nextHop(), first.nextHopPid());
        return peer == null ? 0 : peer.sendSmall(messages, count);
    }

    @Override
    public int timeoutSeconds() {
        return limit.seconds();
    }

    private void updateLimit() {
        limit.update(nis.values().stream().mapToInt(peers -> peers.ni().timeoutSeconds()));
    }

    @Override
    public Map<String, Integer> tunables(LndNi ni) {
        SockPeerTable started = nis.get(ni);
        return started == null ? ni.lndTunables() : started.ni().tunables();
    }

    @Override
    public Map<String, Integer> wantedTunables(LndNi ni) {
        SockPeerTable started = nis.get(ni);
        return started == null ? ni.lndTunables() : started.ni().wantedTunables();
    }

    @Override
    public void tune(LndNi ni, Map<String, Integer> changes) {
        NiTunables.check(changes);
        SockPeerTable started = nis.get(ni);
        if (started == null) {
            throw new ErrnoException(Errno.ENODEV, "NI " + ni.nid() + " is not started");
        }
        started.ni().tune(changes);
        updateLimit();
    }

    @Override
    public void dropConnections(LndNi ni, Nid peer) {
        SockPeerTable started = nis.get(ni);
        SockPeer known = started == null ? null : started.find(peer, ProcessId.LUSTRE_PID);
        if (known != null) {
            known.closeAll(Errno.EHOSTUNREACH, SocketErrors.healthOfBreak(Errno.EHOSTUNREACH));
        }
    }

    @Override
    public List<PeerConnections> connections(LndNi ni) {
        SockPeerTable started = nis.get(ni);
        return started == null
                ? List.of()
                : started.all().stream()
                        .map(SockPeer::snapshot)
                        .sorted(Comparator.comparing(PeerConnections::peer).thenComparingInt(PeerConnections::pid))
                        .toList();
    }

    /** Returns the port on which an NI listens for control connections, or 0 if it does not. */
    public int listenPort(LndNi ni) {
        synchronized (lifecycle) {
            SockPeerTable started = nis.get(ni);
            return started == null ? 0 : acceptor().port(started.ni().address());
        }
    }

    /** Returns the counters. */
    public SockLndStats stats() {
        return context.counters().snapshot();
    }

    @Override
    public void close() {
        nis.keySet().forEach(this::shutdown);
        synchronized (lifecycle) {
            stopIfIdle();
        }
    }

    @GuardedBy("lifecycle")
    private void stopIfIdle() {
        SockThreads running = threads;
        if (running != null && nis.isEmpty()) {
            threads = null;
            acceptor = null;
            running.stop();
        }
    }
}
