package org.railyard.lnet;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.host.HostProvider;
import org.railyard.lnet.api.Bonds;
import org.railyard.lnet.api.DiscoveryProgress;
import org.railyard.lnet.api.Distance;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.GetResult;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NidUpdate;
import org.railyard.lnet.api.PeerConfiguration;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.RouterControl;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Selection;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Statistics;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.runtime.NodeRuntime;

/**
 * A node on LNet: its NIs, its peers, and the calls to send and receive (spec 10 §4–§5).
 *
 * <pre>{@code
 * try (LNet lnet = LNet.start(LNetConfig.builder().ni(NiRequest.ofInterface(Net.TCP, "eth0")).build())) {
 *     lnet.put(ProcessId.of(Nid.parse("10.0.0.5@tcp")), 33, 7L, memory).toCompletableFuture().join();
 * }
 * }</pre>
 *
 * <p>Thread-safe. Nothing here waits for the network: outcomes are events or stages. Failures are {@link
 * ErrnoException}s with the errno's name.
 */
public final class LNet implements AutoCloseable {
    /** Of a call without a limit of its own. */
    private static final long NODES_LIMIT = 0;

    /** Longer ones are never reached: the node's own limit has at most as many seconds. */
    private static final Duration LONGEST = Duration.ofDays(366);

    private final NodeRuntime runtime;
    private final Inventory inventory;
    private final FaultInjection faults;

    private LNet(NodeRuntime runtime) {
        this.runtime = runtime;
        this.inventory = new Inventory(runtime);
        this.faults = new FaultInjection(runtime.faults());
    }

    /**
     * Starts a node.
     *
     * @throws ErrnoException ENODEV if no host module is on the module path and none is configured; EINVAL, EPERM,
     *     ERANGE, ENODEV if the machine can not be divided into CPU partitions as configured; EINVAL, ENETDOWN,
     *     EADDRINUSE … if an NI can not be started
     */
    public static LNet start(LNetConfig config) {
        Host host = config.host();
        if (host == null) {
            host = ServiceLoader.load(HostProvider.class)
                    .findFirst()
                    .orElseThrow(() -> new ErrnoException(
                            Errno.ENODEV,
                            "no host found; put the module org.railyard.host on the module path or configure a host"))
                    .create();
        }
        return new LNet(new NodeRuntime(config, host));
    }

    /**
     * Adds an NI to the running node and tells the peers.
     *
     * @return its NID
     * @throws ErrnoException EEXIST, EINVAL, ENETDOWN, EADDRINUSE …; EBUSY from within an event handler; ESHUTDOWN when
     *     the node is closed
     */
    public Nid addNi(NiRequest request) {
        return runtime.addNi(request, Integer.MAX_VALUE);
    }

    /**
     * Does the same, at a place among the NIs: the first NID is the one by which peers call this node.
     *
     * @param place its index in {@link #nis()}, 0 or more; the nearest one that keeps the NIs of a net together counts
     */
    public Nid addNi(NiRequest request, int place) {
        if (place < 0) {
            throw new ErrnoException(Errno.EINVAL, "place " + place + " for an NI; expected 0 or more");
        }
        return runtime.addNi(request, place);
    }

    /**
     * Removes an NI from the running node and tells the peers. Messages on it fail.
     *
     * @throws ErrnoException ENODEV if there is no such NI; EBUSY from within an event handler; ESHUTDOWN when the node
     *     is closed
     */
    public void removeNi(Nid nid) {
        runtime.removeNi(nid);
    }

    /** Returns the node-wide tunables as they are now. */
    public Settings settings() {
        return locked(() -> runtime.node().settings);
    }

    /**
     * Changes a node-wide tunable; it counts at once for whatever starts from now on.
     *
     * @throws ErrnoException EINVAL if it is out of its range; ERANGE if it does not fit the others, see {@link
     *     Settings#with(Tunable, int)}; EPERM if it is fixed when a node starts; EBUSY from within an event handler;
     *     ESHUTDOWN when the node is closed
     */
    public void set(Tunable tunable, int value) {
        runtime.set(tunable, value);
    }

    /**
     * Makes a free-floating memory descriptor, to send from or to get into (MDBind).
     *
     * @throws ErrnoException EINVAL if it is longer than 1 MiB, has OP_PUT or OP_GET, or a parameter is out of range
     */
    public Md bind(MdConfig config) {
        return runtime.descriptors().bind(config);
    }

    /**
     * Makes a match entry with its memory descriptor, to receive (MEAttach and MDAttach).
     *
     * @throws ErrnoException EINVAL if there is no such portal, OP_PUT and OP_GET are both missing, or a parameter is
     *     out of range; EPERM if the portal holds entries of the other kind, exact or with wildcards
     */
    public Md attach(MeConfig entry, MdConfig md) {
        return runtime.descriptors().attach(entry, md);
    }

    /** Lets PUTs without a match wait on a portal, within the limits of the node, instead of dropping them. */
    public void setLazyPortal(int portal) {
        runtime.descriptors().setLazy(portal, true);
    }

    /** Drops PUTs without a match on a portal, those that wait included. */
    public void clearLazyPortal(int portal) {
        runtime.descriptors().setLazy(portal, false);
    }

    /**
     * Sends the memory of a bound descriptor (spec 10 §5.1). The outcome is an event of the descriptor: SEND when it
     * left, and ACK if asked for, in either order.
     *
     * @param md the descriptor
     * @param ack whether the target shall confirm
     * @param self the local NID to send from, {@link Nid#ANY} for the best
     * @param target whom; any NID of the peer will do
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param offset offset at the target, bytes, if its descriptor lets the initiator choose
     * @param hdrData 64 bits for the target's event
     * @throws ErrnoException ENOENT if the descriptor is gone, used up or not bound; EINVAL; ENOBUFS; then there is no
     *     event
     */
    public void put(
            Md md, boolean ack, Nid self, ProcessId target, int portal, long matchBits, int offset, long hdrData) {
        MemoryDescriptor descriptor = (MemoryDescriptor) md;
        runtime.sender().put(descriptor, ack, self, target, portal, matchBits, offset, hdrData, false);
        runtime.deadlineAdded(descriptor);
    }

    /**
     * Fetches into the memory of a bound descriptor (spec 10 §5.2). The outcome is an event of the descriptor: SEND and
     * REPLY, in either order.
     *
     * @throws ErrnoException as {@link #put(Md, boolean, Nid, ProcessId, int, long, int, long)}
     */
    public void get(Md md, Nid self, ProcessId target, int portal, long matchBits, int offset) {
        MemoryDescriptor descriptor = (MemoryDescriptor) md;
        runtime.sender().get(descriptor, self, target, portal, matchBits, offset, false);
        runtime.deadlineAdded(descriptor);
    }

    /**
     * Sends memory and waits, without blocking, for the target's ACK, at most as long as the node's tunable {@code
     * transaction_timeout} says.
     *
     * @param target whom
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param data what to send, at most 1 MiB; not to be changed until the stage is done
     * @return how much the target stored; fails with {@link ErrnoException}
     * @throws ErrnoException EINVAL if it is too long or the target is the wildcard; ENOBUFS, ENOMEM; ESHUTDOWN when
     *     the node is closed
     */
    public CompletionStage<PutResult> put(ProcessId target, int portal, long matchBits, MemorySegment data) {
        return put(target, portal, matchBits, data, NODES_LIMIT);
    }

    /**
     * Sends memory and waits, without blocking, for the target's ACK, with a limit of its own (spec 10 §15). Those of
     * attempts and of the transport follow from it. Where it is longer than the node's {@code transaction_timeout}, the
     * request itself still has to leave within that; only the answer has longer.
     *
     * @param target whom
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param data what to send, at most 1 MiB; not to be changed until the stage is done
     * @param timeout limit for all of it, above 0
     * @return how much the target stored; fails with {@link ErrnoException}, ETIMEDOUT if the limit passed
     * @throws ErrnoException EINVAL for a limit of 0 or less, or as without a limit
     */
    public CompletionStage<PutResult> put(
            ProcessId target, int portal, long matchBits, MemorySegment data, Duration timeout) {
        return put(target, portal, matchBits, data, nanos(timeout));
    }

    private CompletionStage<PutResult> put(
            ProcessId target, int portal, long matchBits, MemorySegment data, long limitNanos) {
        Transaction<PutResult> transaction =
                new Transaction<>(EventKind.ACK, "PUT to " + target, PutResult::new, this::isStopping);
        Md md = bind(oneTransaction(data, transaction, limitNanos));
        return start(md, transaction, () -> put(md, true, Nid.ANY, target, portal, matchBits, 0, 0));
    }

    /**
     * Fetches memory of the target, within the time that the node's tunable {@code transaction_timeout} says.
     *
     * @param target from whom
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param into where to, at most 1 MiB; not to be touched until the stage is done
     * @return how much arrived; fails with {@link ErrnoException}
     * @throws ErrnoException EINVAL if it is too long or read-only, or the target is the wildcard; ENOBUFS, ENOMEM;
     *     ESHUTDOWN when the node is closed
     */
    public CompletionStage<GetResult> get(ProcessId target, int portal, long matchBits, MemorySegment into) {
        return get(target, portal, matchBits, into, NODES_LIMIT);
    }

    /**
     * Fetches memory of the target, with a limit of its own (spec 10 §15). Attempts and what follows from it are
     * shortened too; the node's tunable {@code transaction_timeout} stays the upper bound.
     *
     * @param target from whom
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param into where to, at most 1 MiB; not to be touched until the stage is done
     * @param timeout limit for all of it, above 0
     * @return how much arrived; fails with {@link ErrnoException}, ETIMEDOUT if the limit passed
     * @throws ErrnoException EINVAL for a limit of 0 or less, or as without a limit
     */
    public CompletionStage<GetResult> get(
            ProcessId target, int portal, long matchBits, MemorySegment into, Duration timeout) {
        return get(target, portal, matchBits, into, nanos(timeout));
    }

    private CompletionStage<GetResult> get(
            ProcessId target, int portal, long matchBits, MemorySegment into, long limitNanos) {
        Transaction<GetResult> transaction =
                new Transaction<>(EventKind.REPLY, "GET from " + target, GetResult::new, this::isStopping);
        Md md = bind(oneTransaction(into, transaction, limitNanos));
        return start(md, transaction, () -> get(md, Nid.ANY, target, portal, matchBits, 0));
    }

    private boolean isStopping() {
        return locked(() -> runtime.node().stopping);
    }

    private static long nanos(Duration timeout) {
        if (!timeout.isPositive()) {
            throw new ErrnoException(Errno.EINVAL, "time limit " + timeout + ", expected more than 0");
        }
        return timeout.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : timeout.toNanos();
    }

    private static MdConfig oneTransaction(MemorySegment memory, EventHandler handler, long limitNanos) {
        return MdConfig.of(memory)
                .withThreshold(2)
                .withAutoUnlink()
                .withTimeoutNanos(limitNanos)
                .withOptions(MdOption.TRACK_RESPONSE)
                .withHandler(handler);
    }

    private <T> CompletionStage<T> start(Md md, Transaction<T> transaction, Runnable call) {
        try {
            call.run();
        } catch (ErrnoException e) {
            runtime.descriptors().withdraw((MemoryDescriptor) md);
            throw e;
        }
        return transaction.done();
    }

    /**
     * Pings a node (GET on portal 0).
     *
     * @param target any of its NIDs
     * @param source the local NID to ping from, {@link Nid#ANY} for the best
     * @param timeout limit for the answer, above 0
     * @return what it said; fails with {@link ErrnoException}
     * @throws ErrnoException EINVAL for the wildcard or a limit of 0 or less; ENOBUFS, ENOMEM; ESHUTDOWN when the node
     *     is closed
     */
    public CompletionStage<PingReply> ping(Nid target, Nid source, Duration timeout) {
        return inventory.ping(target, source, timeout, false);
    }

    /**
     * Discovers a node: asks for its NIDs and, if it is multi-rail, tells it ours.
     *
     * @param target any of its NIDs
     * @param force ask and tell even if both are up to date
     * @return what is known of it then; fails with {@link ErrnoException}
     */
    public CompletionStage<PeerInfo> discover(Nid target, boolean force) {
        CompletableFuture<PeerInfo> done = new CompletableFuture<>();
        runtime.peering().discover(target, force, (peer, status) -> {
            if (status < 0) {
                Errno errno = Errno.ofStatus(status);
                done.completeExceptionally(new ErrnoException(errno, "discovery of " + target + ": " + errno.text()));
            } else {
                done.complete(locked(() -> Snapshots.of(peer, runtime.node().now())));
            }
        });
        return done;
    }

    private <T> T locked(Supplier<T> action) {
        return runtime.node().locked(node -> action.get());
    }

    /** Returns the NIDs of this node, without loopback, the primary first. */
    public List<Nid> nids() {
        return locked(() -> runtime.node().nis.all().stream().map(LocalNi::nid).toList());
    }

    /** Returns the NIs of this node, without loopback, the primary first. */
    public List<NiInfo> nis() {
        return inventory.nis();
    }

    /** Returns the peers, in the order in which they became known. */
    public List<PeerInfo> peers() {
        return inventory.peers(0, Integer.MAX_VALUE);
    }

    /** Returns the primary NID of the peer that owns a NID, as far as known; otherwise the NID itself. */
    public Nid knownPrimaryNid(Nid nid) {
        return runtime.peering().knownPrimaryNid(nid);
    }

    /**
     * Finds out the primary NID of the node with a NID, its identity (PrimaryNID, spec 11 §2): at once if it is known
     * for sure, locked, or discovery is off, otherwise as soon as the node has been discovered. If that fails, the
     * answer is what is known so far.
     *
     * @throws ErrnoException EINVAL for the wildcard; ENOMEM if no more peers can be remembered; ENOBUFS if too many
     *     calls wait for the discovery of that node; ESHUTDOWN when the node is closed
     */
    public CompletionStage<Nid> primaryNid(Nid nid) {
        return runtime.peering().primaryNid(nid);
    }

    /**
     * Makes a node known by several of its NIDs (AddPeer, spec 11 §4.2). With the tunable {@link Tunable#LOCK_PRIM_NID}
     * the first of them that is on a local net stays its primary NID, whatever it announces. All are discovered in the
     * background. With discovery off, each NID on a local net is a peer of its own.
     *
     * @return the primary NID that the node has now
     * @throws ErrnoException EINVAL if no NID can be used, or more than {@link Tunable#MAX_INTERFACES}; ENOMEM if no
     *     more peers can be remembered; ESHUTDOWN when the node is closed
     */
    public Nid addPeer(List<Nid> nids) {
        return runtime.peering().addPeer(nids);
    }

    /**
     * Tells how far the discovery of the node with a NID is, and starts it in the background if there is need
     * (PeerDiscovered, spec 11 §2).
     *
     * @throws ErrnoException ESHUTDOWN when the node is closed
     */
    public DiscoveryProgress peerDiscovered(Nid nid) {
        return runtime.peering().progress(nid);
    }

    /** Returns the calls that configure peers. */
    public PeerConfiguration peerConfiguration() {
        return runtime.peering();
    }

    /**
     * Tells a listener whenever the NIDs of this node or of a peer have changed (RegisterNIDUpdates, spec 10 §4.2). It
     * is called without a lock, on a thread of its own, for one change after the other; what it throws is logged. Like
     * an event handler, it can not change the configuration of the node. Changes of one node that follow quickly may be
     * told as one.
     *
     * @throws ErrnoException ENOSPC if there are too many listeners; EBUSY from within an event handler; ESHUTDOWN when
     *     the node is closed
     */
    public void registerNidUpdates(Consumer<NidUpdate> listener) {
        runtime.watchNids(listener);
    }

    /** Tells a listener nothing any more; a call that has begun ends. No effect if it is not registered. */
    public void unregisterNidUpdates(Consumer<NidUpdate> listener) {
        runtime.unwatchNids(listener);
    }

    /** Returns what the node has and how it does, in detail. */
    public Inventory inventory() {
        return inventory;
    }

    /** Returns what makes things go wrong on purpose. */
    public FaultInjection faults() {
        return faults;
    }

    /** Returns what the node counted as a whole. */
    public Statistics statistics() {
        return inventory.statistics();
    }

    /** Returns how many messages were dropped. */
    public long dropCount() {
        return statistics().get(Statistic.DROP_COUNT);
    }

    /**
     * Sets the health of an NI of this node. Below 1000 it is in recovery until it is well.
     *
     * @param health 0…1000; anything else means 1000
     * @throws ErrnoException ENODEV if there is no such NI
     */
    public void setHealth(Nid nid, int health) {
        locked(() -> {
            LocalNi ni = runtime.node().nis.find(nid);
            if (ni == null) {
                throw new ErrnoException(Errno.ENODEV, "there is no NI " + nid + " here");
            }
            runtime.node().health.set(ni, health);
            return ni;
        });
    }

    /**
     * Sets the health of an NI of a peer. Below 1000 it is in recovery until it is well.
     *
     * @param health 0…1000; anything else means 1000
     * @throws ErrnoException ENOENT if no peer with that NID is known
     */
    public void setPeerHealth(Nid nid, int health) {
        locked(() -> {
            PeerNi ni = runtime.node().peers.find(nid);
            if (ni == null) {
                throw new ErrnoException(Errno.ENOENT, "no peer is known with NID " + nid);
            }
            runtime.node().health.set(ni, health);
            return ni;
        });
    }

    /** Returns the NIs of this node that are in recovery, in the order in which they failed. */
    public List<Nid> localRecovery() {
        return locked(() ->
                runtime.node().health.localRecovery().stream().map(LocalNi::nid).toList());
    }

    /** Returns the NIs of peers that are in recovery, in the order in which they failed. */
    public List<Nid> peerRecovery() {
        return locked(() ->
                runtime.node().health.peerRecovery().stream().map(PeerNi::nid).toList());
    }

    /** Returns how many messages are on their way, and events being handled. */
    public int messagesInUse() {
        return locked(() -> runtime.node().messagesInUse());
    }

    /** Returns how many memory descriptors there are, those by which the node itself asks and answers included. */
    public int descriptorsInUse() {
        return locked(() -> runtime.node().descriptorsInUse());
    }

    /**
     * Tells how far a NID is (spec 10 §5.5).
     *
     * @throws ErrnoException EHOSTUNREACH if it is on no local net and no route leads to its net
     */
    public Distance distance(Nid nid) {
        return runtime.node().locked(node -> Distances.of(nid, node));
    }

    /**
     * Explains which way a PUT would go if it were sent now: what there is to choose from, and what decides. Changes
     * nothing.
     *
     * @param target whom it would be for; any NID
     * @param source the local NID to send from, {@link Nid#ANY} for the best
     * @param bytes its payload, 0…1 MiB
     * @throws ErrnoException EINVAL if the target is the wildcard or the length is out of range
     */
    public Explanation explain(Nid target, Nid source, int bytes) {
        return runtime.paths().explain(target, source, bytes, List.of());
    }

    /** Returns what there is to say and to do about forwarding messages of others. */
    public RouterControl routing() {
        return runtime.routing();
    }

    /** Returns the ways to other nets. */
    public Routes routes() {
        return runtime.routes();
    }

    /** Returns the bonds: which NIDs belong together. */
    public Bonds bonds() {
        return runtime.bonds();
    }

    /** Returns what steers the choice of paths: selection rules, CPU partitions, and explanations in detail. */
    public Selection selection() {
        return runtime.paths();
    }

    /**
     * Stops the node: what is on its way fails, descriptors see their last event, connections are closed. Closing twice
     * has no effect.
     *
     * @throws ErrnoException EBUSY from within an event handler
     */
    @Override
    public void close() {
        runtime.close();
    }

    /**
     * Checks that nothing in the state of the node contradicts anything else. For tests and simulations: it takes a
     * time that grows with all that the node has, and holds its lock for that long. While assertions are on, a node
     * does so each second.
     *
     * @throws AssertionError if this program is wrong
     */
    public void checkInvariants() {
        runtime.node().checkInvariants();
    }
}
