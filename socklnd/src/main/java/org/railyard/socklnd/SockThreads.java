package org.railyard.socklnd;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.Host;
import org.railyard.base.host.Worker;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.handshake.Connector;
import org.railyard.socklnd.io.IoLoop;
import org.railyard.socklnd.io.SendQueues;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.LinkQuality;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.tune.SockTunable;

/**
 * The threads of a transport: I/O loops, connector, and the worker for time limits. There while there are NIs.
 */
final class SockThreads {
    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");

    /** Time between two looks at the devices, and at what may run out of time, ns. */
    static final long TICK_NANOS = 250_000_000L;

    /** So long without a link, and peers may have closed connections meanwhile, ns. */
    private static final long LONG_DOWN_NANOS = 10_000_000_000L;

    /** How long a link that is back is not used after that, for the answers to keepalives, ns. */
    private static final long PROBE_NANOS = 1_000_000_000L;

    private static final int LOOKS_PER_LIMIT = 4;
    private static final int MAX_AUTO_LOOPS = 4;
    private static final long NANOS_PER_MICRO = 1000;

    private final SockContext context;
    private final Supplier<Collection<SockPeerTable>> nis;
    private final List<IoLoop> loops = new ArrayList<>();
    private final Connector connector;
    private final Worker worker;
    private final SendQueues queues;
    private long queueNanos;

    SockThreads(
            SockContext context,
            Host host,
            SendQueues queues,
            Supplier<Collection<SockPeerTable>> nis,
            Function<Nid, @Nullable SockPeerTable> niOf) {
        this.context = context;
        this.queues = queues;
        this.nis = nis;
        this.queueNanos = context.clock().nanoTime();
        int wanted = context.config().get(SockTunable.NSCHEDS);
        int count = wanted > 0 ? wanted : Math.min(Runtime.getRuntime().availableProcessors(), MAX_AUTO_LOOPS);
        long busyPoll = context.config().get(SockTunable.BUSY_POLL) * NANOS_PER_MICRO;
        try {
            for (int i = 0; i < count; i++) {
                loops.add(new IoLoop("socklnd-io-" + i, busyPoll));
            }
            this.connector = new Connector(context, loops, niOf);
        } catch (RuntimeException | Error e) {
            // No selector for one of them: the threads of the others would stay for ever.
            loops.forEach(IoLoop::stop);
            throw e;
        }
        this.worker = host.startWorker("socklnd-reaper", this::tick);
    }

    Connector connector() {
        return connector;
    }

    /** Tells whether the caller is one of the threads that must not wait for the others. */
    boolean isOwnThread() {
        return connector.loop().isCurrent() || loops.stream().anyMatch(IoLoop::isCurrent);
    }

    private long tick(long now) {
        connector.tick(now);
        checkSilence(now);
        for (SockPeerTable peers : nis.get()) {
            watch(peers, now);
            checkQuality(peers.ni(), now);
            for (SockPeer peer : peers.all()) {
                peer.watch().tick(now);
            }
        }
        return now + TICK_NANOS;
    }

    /** Looks four times per limit whether what was sent gets through. */
    private void checkSilence(long now) {
        long shortest = Long.MAX_VALUE;
        for (SockPeerTable peers : nis.get()) {
            shortest = Math.min(shortest, peers.ni().timeoutNanos());
        }
        if (now - queueNanos < shortest / LOOKS_PER_LIMIT
                || context.counters().connectionsOpen.get() == 0) {
            return;
        }
        queueNanos = now;
        Map<String, Long> unacknowledged = queues.unacknowledged();
        for (SockPeerTable peers : nis.get()) {
            for (SockPeer peer : peers.all()) {
                peer.watch().checkSilence(unacknowledged, now);
            }
        }
    }

    /**
     * Reports a device that makes many errors, once until it has worked well for a time. Without a link it works
     * neither well nor badly, and a report would be lost in that of the link.
     */
    private void checkQuality(SockNi ni, long now) {
        LinkQuality quality = ni.quality();
        if (ni.isStopping() || ni.isDown() || !quality.isDue(now)) {
            return;
        }
        String device = ni.ni().interfaceName();
        if (quality.look(context.config().linkMonitor().counts(device), now)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} of NI {1} has had errors in more than one of {2} frames for half a minute (ip -s link show dev"
                            + " {0}); the NI loses health",
                    device,
                    ni.nid(),
                    String.valueOf(LinkQuality.FRAMES_PER_ERROR));
            context.stack().deviceEvent(ni.ni(), DeviceEvent.DEGRADED);
        }
    }

    /**
     * After a long time without a link, peers may have closed connections, and nothing tells so: keepalives find
     * out before new messages are lost in them.
     */
    private static boolean isProbed(SockPeerTable peers, long time) {
        SockNi ni = peers.ni();
        if (ni.link() != DeviceLinkState.DOWN || time - ni.linkSince() < LONG_DOWN_NANOS) {
            return true;
        }
        if (ni.beginProbe(time)) {
            peers.all().forEach(SockPeer::askAll);
        }
        return time - ni.probeSince() >= PROBE_NANOS;
    }

    /**
     * Looks at the device of an NI (spec 02 §11). Connections outlive a link that is down: what their sockets hold
     * arrives when it is back, or at once over another device; so they do an address that is away. They end with the
     * device.
     */
    private void watch(SockPeerTable peers, long time) {
        SockNi ni = peers.ni();
        DeviceLinkState before = ni.link();
        DeviceLinkState now = context.config().linkMonitor().look(ni.ni().interfaceName(), ni.address());
        if (now == DeviceLinkState.DOWN) {
            ni.endProbe();
        }
        boolean same = now == DeviceLinkState.UNKNOWN || now == before || ni.isStopping();
        if (same || now == DeviceLinkState.UP && !isProbed(peers, time)) {
            return;
        }
        ni.setLink(now, time);
        // The event first: what is sent again must not come back to this NI.
        if (now == DeviceLinkState.UP) {
            context.stack().deviceEvent(ni.ni(), DeviceEvent.CLEAR);
        } else if (before == DeviceLinkState.UP) {
            context.stack().deviceEvent(ni.ni(), DeviceEvent.FATAL);
        }
        switch (now) {
            case UP -> peers.all().forEach(SockPeer::linkUp);
            case DOWN -> {
                connector.abandonCalls(ni);
                peers.all().forEach(SockPeer::linkDown);
            }
            default -> {
                peers.all().forEach(peer -> peer.shutdown(Errno.ENETDOWN, HealthStatus.LOCAL_ABORTED, 0));
                connector.abandon(ni);
            }
        }
    }

    /** Ends all threads; there must be no connections left. */
    void stop() {
        worker.close();
        connector.stop();
        loops.forEach(IoLoop::stop);
    }
}
