package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.tune.Tunable;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;

/** One NI: an interface, the peers reached through it, memory for transfers. All of it belongs to the loop, but for {@link #take}. */
final class IbNi {
    /** Most peers of an NI. */
    static final int MAX_PEERS = 100_000;

    private static final long SECOND = 1_000_000_000L;
    private static final int NANOS_PER_MICRO = 1000;

    private final O2ibLnd lnd;
    private final LndNi ni;
    private final VerbsInterface itf;
    private final EffectiveTunables tunables;
    private final long stamp;
    private final ConcurrentLinkedQueue<LndMessage> inbox = new ConcurrentLinkedQueue<>();
    private final Map<Long, IbPeer> peers = new LinkedHashMap<>();
    private final Map<CmId, IbConn> accepted = new LinkedHashMap<>();
    private final PassiveConnect passive = new PassiveConnect(this);
    private final Pd pd;
    private final ChunkPool sources;
    private final ChunkPool sinks;
    private final Registration registration;
    private final RegionPool regions;
    private final AsyncListener asyncListener = this::onAsyncEvent;
    private @Nullable CmId listener;
    private @Nullable LoopTimer timer;
    private boolean fatal;
    private boolean degraded;
    private long bestRate;
    private volatile boolean stopped;
    private long cookies;

    IbNi(O2ibLnd lnd, LndNi ni, VerbsInterface itf, EffectiveTunables tunables) {
        this.lnd = lnd;
        this.ni = ni;
        this.itf = itf;
        this.tunables = tunables;
        this.stamp = lnd.wallNanos() / NANOS_PER_MICRO;
        this.pd = itf.device().openPd();
        this.sources = new ChunkPool(pd);
        this.sinks = new ChunkPool(pd);
        Registration possible = Registration.of(itf.device().attributes(), tunable(Tunable.USE_FASTREG_GAPS) != 0);
        this.registration = possible == null || possible == Registration.FMR ? Registration.ARENA : possible;
        this.regions = new RegionPool(pd, registration, tunables.regionsPerCpt(1));
    }

    /**
     * Listens and begins.
     *
     * @throws LNetException EADDRINUSE if somebody else listens on the interface
     */
    void start() {
        CmId id = lnd.verbs().createId(lnd.loop(), this::onCmEvent);
        listener = id;
        try {
            id.bind(new CmAddress(itf.ip(), tunables.given().get(Tunable.SERVICE)), false);
            id.listen();
        } catch (VerbsException e) {
            id.close();
            pd.close();
            throw new LNetException(
                    e.code() == VerbsException.Code.EADDRINUSE ? Errno.EADDRINUSE : Errno.ENETDOWN,
                    "can not listen on " + itf.name() + ": " + e.getMessage());
        }
        itf.device().listen(lnd.loop(), asyncListener);
        if (!itf.device().port(itf.port()).isActive()) {
            setFatal(true);
        }
        bestRate = itf.device().port(itf.port()).linkRate();
        tick();
    }

    LndNi ni() {
        return ni;
    }

    String interfaceName() {
        return itf.name();
    }

    VerbsDevice device() {
        return itf.device();
    }

    int ip() {
        return itf.ip();
    }

    EffectiveTunables tunables() {
        return tunables;
    }

    int tunable(Tunable which) {
        return tunables.given().get(which);
    }

    Pd pd() {
        return pd;
    }

    ChunkPool sources() {
        return sources;
    }

    ChunkPool sinks() {
        return sinks;
    }

    RegionPool regions() {
        return regions;
    }

    /** Returns how memory for transfers is registered; what can not be registered so is copied. */
    Registration registration() {
        return registration;
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

    long timeoutNanos() {
        return lnd.timeoutNanos();
    }

    long keepaliveNanos() {
        return tunable(Tunable.KEEPALIVE) * SECOND;
    }

    boolean checksums() {
        return tunable(Tunable.CKSUM) != 0;
    }

    boolean isStopped() {
        return stopped;
    }

    void warn(String line) {
        lnd.warn(ni.nid() + ": " + line);
    }

    /** Takes a message to send; from any thread. */
    void take(LndMessage message) {
        inbox.add(message);
        lnd.loop().execute(this::drain);
    }

    private void drain() {
        for (LndMessage each = inbox.poll(); each != null; each = inbox.poll()) {
            if (stopped) {
                complete(each, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ABORTED);
            } else {
                send(each);
            }
        }
    }

    private void send(LndMessage message) {
        IbPeer peer = peer(message.nextHop().nid4());
        if (peer == null) {
            complete(message, Errno.ENOMEM.status(), HealthStatus.LOCAL_ERROR);
            return;
        }
        long limit = message.timeoutNanos() > 0 ? message.timeoutNanos() : timeoutNanos();
        Tx tx = new Tx(O2ibLnd.typeFor(message), message, false, limit);
        tx.setCookie(nextCookie());
        peer.send(tx);
    }

    /** Returns the peer with a NID, made if need be; null if there are too many. */
    @Nullable
    IbPeer peer(long nid4) {
        IbPeer known = peers.get(nid4);
        if (known == null && peers.size() < MAX_PEERS) {
            known = new IbPeer(this, Nid.ofNid4(nid4));
            peers.put(nid4, known);
        }
        return known;
    }

    /** Runs something in the loop: now if this is the loop, soon if it is not, and in any case even if the loop has ended. */
    void runInLoop(Runnable task) {
        if (lnd.isClosed() || lnd.loop().isInLoop()) {
            task.run();
        } else {
            lnd.loop().execute(task);
        }
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

    /** Gives back what a transmit held. */
    void finish(Tx tx) {
        Transfer memory = tx.memory();
        tx.setMemory(null);
        switch (memory) {
            case null -> {
                // It moved nothing.
            }
            case Chunk chunk -> (tx.isSink() ? sinks : sources).giveBack(chunk);
            case Mapped mapped -> regions.giveBack(mapped, tx.health() == HealthStatus.OK);
        }
        LndMessage message = tx.message();
        if (message != null) {
            complete(message, tx.status(), tx.health());
        }
    }

    private void onCmEvent(CmId id, CmEvent event) {
        if (event.type() == CmEvent.Type.CONNECT_REQUEST) {
            CmId request = Objects.requireNonNull(event.request());
            passive.request(request, event.privateData());
        } else {
            IbConn conn = accepted.get(id);
            if (conn != null) {
                passive.event(conn, event);
            }
        }
    }

    /** A request was accepted: its events are those of a connection from now on. */
    void accepted(IbConn conn) {
        accepted.put(conn.id(), conn);
    }

    void forget(CmId id) {
        accepted.remove(id);
    }

    private void onAsyncEvent(VerbsDevice device, AsyncEvent event) {
        if (stopped || event.port() != 0 && event.port() != itf.port()) {
            return;
        }
        switch (event.type()) {
            case DEVICE_FATAL, DEVICE_REMOVED, PORT_ERROR -> setFatal(true);
            case PORT_ACTIVE -> {
                setFatal(false);
                measure();
            }
            case QP_COMMUNICATION_ESTABLISHED -> {
                for (IbConn conn : List.copyOf(accepted.values())) {
                    if (conn.qpNumber() == event.qpNumber()) {
                        conn.id().communicationEstablished();
                    }
                }
            }
            case QP_FATAL, CQ_ERROR -> warn(device.name() + ": " + event.type());
        }
    }

    private void setFatal(boolean isFatal) {
        if (fatal == isFatal) {
            return;
        }
        fatal = isFatal;
        lnd.stack().deviceEvent(ni, isFatal ? DeviceEvent.FATAL : DeviceEvent.CLEAR);
        if (isFatal) {
            closeAll(CloseReason.DEVICE);
        }
    }

    /** Compares the speed of the link with the best that it has had (spec 20 §16). */
    private void measure() {
        long rate = itf.device().port(itf.port()).linkRate();
        bestRate = Math.max(bestRate, rate);
        boolean isSlow = rate < bestRate;
        if (isSlow != degraded) {
            degraded = isSlow;
            warn(itf.name() + (isSlow ? " is slower than it was: " : " is as fast as it was: ") + rate / 10_000.0
                    + " Gb/s of " + bestRate / 10_000.0);
            lnd.stack().deviceEvent(ni, isSlow ? DeviceEvent.DEGRADED : DeviceEvent.CLEAR);
        }
    }

    private void closeAll(CloseReason reason) {
        for (IbPeer peer : List.copyOf(peers.values())) {
            peer.end(reason);
        }
    }

    private void tick() {
        if (stopped) {
            return;
        }
        for (IbPeer peer : new ArrayList<>(peers.values())) {
            peer.check(now());
        }
        timer = lnd.loop().schedule(SECOND, this::tick);
    }

    /** Stops: everything is given back before this returns. */
    void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        itf.device().unlisten(asyncListener);
        CmId id = listener;
        if (id != null) {
            id.close();
        }
        LoopTimer ticking = timer;
        if (ticking != null) {
            ticking.cancel();
        }
        drain();
        closeAll(CloseReason.SHUTDOWN);
        peers.clear();
        pd.close();
    }
}
