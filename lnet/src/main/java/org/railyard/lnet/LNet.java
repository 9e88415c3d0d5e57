package org.railyard.lnet;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.host.HostProvider;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.runtime.NodeRuntime;
import org.railyard.lnet.stack.Node;

/**
 * A node on LNet: its NIs, its peers, and the calls to send and receive (spec 10 §4–§5).
 *
 * <pre>{@code
 * try (LNet lnet = LNet.start(LNetConfig.builder().ni(NiRequest.ofInterface(Net.TCP, "eth0")).build())) {
 *     lnet.put(ProcessId.of(Nid.parse("10.0.0.5@tcp")), 33, 7L, memory).toCompletableFuture().join();
 * }
 * }</pre>
 *
 * <p>Thread-safe. Nothing here waits for the network: outcomes are events or stages. Failures are {@link LNetException}s with the errno's name.
 */
public final class LNet implements AutoCloseable {
    private final NodeRuntime runtime;

    private LNet(NodeRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Starts a node.
     *
     * @throws LNetException ENODEV if no host module is on the module path and none is configured; EINVAL, ENETDOWN, EADDRINUSE … if an NI can not be
     *     started
     */
    public static LNet start(LNetConfig config) {
        Host host = config.host();
        if (host == null) {
            host = ServiceLoader.load(HostProvider.class)
                    .findFirst()
                    .orElseThrow(() -> new LNetException(
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
     * @throws LNetException EEXIST, EINVAL, ENETDOWN, EADDRINUSE …; EBUSY from within an event handler; ESHUTDOWN when the node is closed
     */
    public Nid addNi(NiRequest request) {
        return runtime.addNi(request);
    }

    /**
     * Removes an NI from the running node and tells the peers. Messages on it fail.
     *
     * @throws LNetException ENODEV if there is no such NI; EBUSY from within an event handler; ESHUTDOWN when the node is closed
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
     * @throws LNetException EINVAL if it is out of its range; ERANGE if it does not fit the others, see {@link Settings#with(Tunable, int)}; EPERM if it
     *     is fixed when a node starts; EBUSY from within an event handler; ESHUTDOWN when the node is closed
     */
    public void set(Tunable tunable, int value) {
        runtime.set(tunable, value);
    }

    /**
     * Makes a free-floating memory descriptor, to send from or to get into (MDBind).
     *
     * @throws LNetException EINVAL if it is longer than 1 MiB, has OP_PUT or OP_GET, or a parameter is out of range
     */
    public Md bind(MdConfig config) {
        return runtime.descriptors().bind(config);
    }

    /**
     * Makes a match entry with its memory descriptor, to receive (MEAttach and MDAttach).
     *
     * @throws LNetException EINVAL if there is no such portal, OP_PUT and OP_GET are both missing, or a parameter is out of range; EPERM if the portal
     *     holds entries of the other kind, exact or with wildcards
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
     * Sends the memory of a bound descriptor (spec 10 §5.1). The outcome is an event of the descriptor: SEND when it left, and ACK if asked for, in
     * either order.
     *
     * @param md the descriptor
     * @param ack whether the target shall confirm
     * @param self the local NID to send from, {@link Nid#ANY} for the best
     * @param target whom; any NID of the peer will do
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param offset offset at the target, bytes, if its descriptor lets the initiator choose
     * @param hdrData 64 bits for the target's event
     * @throws LNetException ENOENT if the descriptor is gone, used up or not bound; EINVAL; ENOBUFS; then there is no event
     */
    public void put(
            Md md, boolean ack, Nid self, ProcessId target, int portal, long matchBits, int offset, long hdrData) {
        MemoryDescriptor descriptor = (MemoryDescriptor) md;
        runtime.sender().put(descriptor, ack, self, target, portal, matchBits, offset, hdrData, false);
        runtime.deadlineAdded(descriptor);
    }

    /**
     * Fetches into the memory of a bound descriptor (spec 10 §5.2). The outcome is an event of the descriptor: SEND and REPLY, in either order.
     *
     * @throws LNetException as {@link #put(Md, boolean, Nid, ProcessId, int, long, int, long)}
     */
    public void get(Md md, Nid self, ProcessId target, int portal, long matchBits, int offset) {
        MemoryDescriptor descriptor = (MemoryDescriptor) md;
        runtime.sender().get(descriptor, self, target, portal, matchBits, offset, false);
        runtime.deadlineAdded(descriptor);
    }

    /**
     * Sends memory and waits, without blocking, for the target's ACK.
     *
     * @param target whom
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param data what to send, at most 1 MiB; not to be changed until the stage is done
     * @return how much the target stored; fails with {@link LNetException}
     * @throws LNetException EINVAL if it is too long or the target is the wildcard; ENOBUFS, ENOMEM; ESHUTDOWN when the node is closed
     */
    public CompletionStage<PutResult> put(ProcessId target, int portal, long matchBits, MemorySegment data) {
        Transaction<PutResult> transaction = new Transaction<>(EventKind.ACK, "PUT to " + target, PutResult::new);
        Md md = bind(oneTransaction(data, transaction));
        return start(md, transaction, () -> put(md, true, Nid.ANY, target, portal, matchBits, 0, 0));
    }

    /**
     * Fetches memory of the target.
     *
     * @param target from whom
     * @param portal the target's portal
     * @param matchBits the match bits
     * @param into where to, at most 1 MiB; not to be touched until the stage is done
     * @return how much arrived; fails with {@link LNetException}
     * @throws LNetException EINVAL if it is too long or read-only, or the target is the wildcard; ENOBUFS, ENOMEM; ESHUTDOWN when the node is closed
     */
    public CompletionStage<GetResult> get(ProcessId target, int portal, long matchBits, MemorySegment into) {
        Transaction<GetResult> transaction = new Transaction<>(EventKind.REPLY, "GET from " + target, GetResult::new);
        Md md = bind(oneTransaction(into, transaction));
        return start(md, transaction, () -> get(md, Nid.ANY, target, portal, matchBits, 0));
    }

    private static MdConfig oneTransaction(MemorySegment memory, EventHandler handler) {
        return MdConfig.of(memory)
                .withThreshold(2)
                .withAutoUnlink()
                .withOptions(MdOption.TRACK_RESPONSE)
                .withHandler(handler);
    }

    private <T> CompletionStage<T> start(Md md, Transaction<T> transaction, Runnable call) {
        try {
            call.run();
        } catch (LNetException e) {
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
     * @return what it said; fails with {@link LNetException}
     * @throws LNetException EINVAL for the wildcard or a limit of 0 or less; ENOBUFS, ENOMEM; ESHUTDOWN when the node is closed
     */
    public CompletionStage<PingReply> ping(Nid target, Nid source, Duration timeout) {
        if (!timeout.isPositive()) {
            throw new LNetException(Errno.EINVAL, "ping limit " + timeout + "; expected more than 0");
        }
        CompletionStage<PingReply> answer = runtime.pinger().ping(target, source, timeout.toNanos());
        runtime.wakeMonitor();
        return answer;
    }

    /**
     * Discovers a node: asks for its NIDs and, if it is multi-rail, tells it ours.
     *
     * @param target any of its NIDs
     * @param force ask and tell even if both are up to date
     * @return what is known of it then; fails with {@link LNetException}
     */
    public CompletionStage<PeerInfo> discover(Nid target, boolean force) {
        CompletableFuture<PeerInfo> done = new CompletableFuture<>();
        runtime.discovery().discover(target, force, (peer, status) -> {
            if (status < 0) {
                Errno errno = Errno.ofStatus(status);
                done.completeExceptionally(new LNetException(errno, "discovery of " + target + ": " + errno.text()));
            } else {
                done.complete(locked(() -> describe(peer)));
            }
        });
        return done;
    }

    private <T> T locked(Supplier<T> action) {
        Node node = runtime.node();
        node.lock.lock();
        try {
            return action.get();
        } finally {
            node.lock.unlock();
        }
    }

    /** Returns the NIDs of this node, without loopback, the primary first. */
    public List<Nid> nids() {
        return locked(() -> runtime.node().nis.all().stream().map(LocalNi::nid).toList());
    }

    /** Returns the NIs of this node, without loopback, the primary first. */
    public List<NiInfo> nis() {
        return locked(
                () -> runtime.node().nis.all().stream().map(LNet::describe).toList());
    }

    private static NiInfo describe(LocalNi ni) {
        return new NiInfo(
                ni.nid(),
                ni.interfaceName(),
                !ni.fatal && ni.health > 0,
                ni.health,
                ni.credits.value(),
                ni.credits.max(),
                ni.credits.min(),
                ni.traffic.snapshot(),
                ni.deviceCpt,
                Arrays.stream(ni.credits.cpts()).boxed().toList());
    }

    /** Returns the peers, in the order in which they became known. */
    public List<PeerInfo> peers() {
        return locked(
                () -> runtime.node().peers.all().stream().map(LNet::describe).toList());
    }

    private static PeerInfo describe(Peer peer) {
        List<PeerInfo.PeerNiInfo> nis = new ArrayList<>();
        for (PeerNi ni : peer.nis()) {
            nis.add(new PeerInfo.PeerNiInfo(
                    ni.nid(),
                    ni.isUp(),
                    ni.health,
                    ni.credits.value(),
                    ni.credits.min(),
                    ni.queuedBytes,
                    ni.traffic.snapshot()));
        }
        return new PeerInfo(peer.primaryNid, peer.isMultiRail(), peer.state, nis);
    }

    /** Returns the primary NID of the peer that owns a NID, as far as known; otherwise the NID itself. */
    public Nid primaryNid(Nid nid) {
        return locked(() -> runtime.node().peers.primaryOf(nid));
    }

    /** Returns how many received messages were dropped. */
    public long dropCount() {
        return locked(() -> runtime.node().drops());
    }

    /** Returns how many messages are on their way, and events being handled. */
    public int messagesInUse() {
        return locked(() -> runtime.node().messagesInUse());
    }

    /**
     * Tells how far a NID is (spec 10 §5.5).
     *
     * @throws LNetException EHOSTUNREACH if it is on no local net
     */
    public Distance distance(Nid nid) {
        return locked(() -> {
            Node node = runtime.node();
            int own = node.settings.is(Tunable.LOCAL_NID_DIST_ZERO) ? 0 : 1;
            if (nid.isLoopback()) {
                return new Distance(own, 0, nid);
            }
            if (node.nis.find(nid) != null) {
                return new Distance(own, 1, nid);
            }
            int order = 2;
            for (LocalNet net : node.nis.nets()) {
                if (nid.isOn(net.net())) {
                    return new Distance(1, order, net.nis.getFirst().nid());
                }
                order += net.nis.size();
            }
            throw new LNetException(Errno.EHOSTUNREACH, nid + " is on no local net and no route leads there");
        });
    }

    /**
     * Explains which way a PUT would go if it were sent now: what there is to choose from, and what decides. Changes nothing.
     *
     * @param target whom it would be for; any NID
     * @param source the local NID to send from, {@link Nid#ANY} for the best
     * @param bytes its payload, 0…1 MiB
     * @throws LNetException EINVAL if the target is the wildcard or the length is out of range
     */
    public Explanation explain(Nid target, Nid source, int bytes) {
        return explain(target, source, bytes, List.of());
    }

    /**
     * Explains which way a PUT would be sent again.
     *
     * @param used the NIDs, ours and the peer's, over which it was sent without success; none for a first attempt
     * @throws LNetException as {@link #explain(Nid, Nid, int)}
     */
    public Explanation explain(Nid target, Nid source, int bytes, List<Nid> used) {
        return runtime.paths().explain(target, source, bytes, used);
    }

    /**
     * Adds a selection rule, which counts at once. One that speaks of the same as a rule that is there takes that one's place.
     *
     * @param index the rule in front of which it goes; one that is not there, or below 0, for the end
     * @throws LNetException EALREADY if exactly this rule is there; ENOSPC at 256 rules
     */
    public void addUdsp(UdspRule rule, int index) {
        runtime.paths().addUdsp(rule, index);
    }

    /**
     * Deletes a selection rule; those behind it move up.
     *
     * @throws LNetException ENOENT if there is none with that index
     */
    public void deleteUdsp(int index) {
        runtime.paths().deleteUdsp(index);
    }

    /** Deletes all selection rules, if there are any. */
    public void clearUdsp() {
        runtime.paths().clearUdsp();
    }

    /** Returns the selection rules, by index. */
    public List<UdspRule> udsp() {
        return runtime.paths().udsp();
    }

    /**
     * Returns what the selection rules say of a NID, ours or a peer's.
     *
     * @throws LNetException ENOENT if it is neither
     */
    public UdspInfo udspInfo(Nid nid) {
        return runtime.paths().udspInfo(nid);
    }

    /**
     * Moves an NI to other CPU partitions while it runs; messages on their way are not disturbed.
     *
     * @param cpts the partitions, none for all
     * @throws LNetException ENODEV if there is no such NI; ERANGE if there is no such partition, then nothing changes
     */
    public void setNiCpts(Nid nid, List<Integer> cpts) {
        runtime.paths().setNiCpts(nid, cpts);
    }

    /** Returns the CPU partition that messages to a NID are counted on, where all partitions take part. */
    public int cptOf(Nid nid) {
        return runtime.paths().cptOf(nid);
    }

    /**
     * Stops the node: what is on its way fails, descriptors see their last event, connections are closed. Closing twice has no effect.
     *
     * @throws LNetException EBUSY from within an event handler
     */
    @Override
    public void close() {
        runtime.close();
    }
}
