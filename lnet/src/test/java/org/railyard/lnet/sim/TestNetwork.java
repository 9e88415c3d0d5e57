package org.railyard.lnet.sim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.NodeListener;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * Nodes that are connected by {@link TestLnd}s. Messages wait in one queue until {@link #settle}; they can be held,
 * refused, failed, lost, damaged, or completed late, by what their headers say.
 */
public final class TestNetwork implements AutoCloseable {
    /** A message that is on the wire, or was. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares packets.
    public record Packet(Nid from, LNetHeader header, byte[] payload) {}

    /** How a send fails. */
    public record Failure(Errno errno, HealthStatus health) {}

    record Endpoint(LndNi ni, LndUpcalls stack) {}

    final Map<Nid, Endpoint> endpoints = new LinkedHashMap<>();
    final ArrayDeque<Runnable> held = new ArrayDeque<>();
    final List<Packet> refused = new ArrayList<>();
    final List<String> dropped = new ArrayList<>();
    private final Set<Nid> stalled = new LinkedHashSet<>();
    final Set<Nid> cut = new LinkedHashSet<>();
    private final ArrayList<Runnable> events = new ArrayList<>();
    private final List<Packet> log = new ArrayList<>();
    private final List<LNet> nodes = new ArrayList<>();
    private final List<TestHost> hosts = new ArrayList<>();
    private final @Nullable RandomGenerator random;
    private Predicate<Packet> loss = packet -> false;
    private Predicate<Packet> damage = packet -> false;
    private Predicate<LNetHeader> hold = header -> false;
    private Function<LNetHeader, @Nullable Failure> failure = header -> null;
    private Function<LNetHeader, @Nullable Errno> refusal = header -> null;

    /** Arrived, and neither received nor thrown away. */
    final Set<LndReceiver> unread = ConcurrentHashMap.newKeySet();

    private final Map<Consumer<Boolean>, Endpoint> payloads = new LinkedHashMap<>();
    private boolean slow;
    private Consumer<LndNi> whenStarting = ni -> {};
    private Consumer<LndNi> whenStopped = ni -> {};
    private NetTunables tunables = NetTunables.DEFAULT;
    private CpuLayout layout = CpuLayout.UNKNOWN;
    private final Map<Nid, Integer> numaNodes = new LinkedHashMap<>();
    int lndSeconds;
    boolean placesReplies;
    int lndParts = 1;
    private final Map<Integer, Long> timeouts = new LinkedHashMap<>();
    private final LateSends late = new LateSends(this::settle);
    private @Nullable NodeListener listener;
    private Tracer tracer = Tracer.NONE;
    private long wallStart = 1_700_000_000_000_000_000L;

    /** Makes a network that keeps everything in order. */
    public TestNetwork() {
        this(null);
    }

    /** Makes a network that mixes up what happens at the same time. */
    public TestNetwork(@Nullable RandomGenerator random) {
        this.random = random;
    }

    /** Nodes started from now on have these tunables on all their nets. */
    public TestNetwork withTunables(int peerCredits, int credits) {
        tunables = new NetTunables(180, peerCredits, 0, credits);
        return this;
    }

    /** GETs say from now on where to write their REPLYs: no REPLY goes over the wire. */
    public TestNetwork placeReplies() {
        placesReplies = true;
        return this;
    }

    /** What happens to nodes started from now on is told to a listener, and recorded. */
    public TestNetwork heardBy(NodeListener hears, Consumer<Traced> records) {
        listener = hears;
        tracer = new Tracer() {
            @Override
            public boolean wants(Traced.Kind kind) {
                return true;
            }

            @Override
            public void trace(Traced happened) {
                records.accept(happened);
            }
        };
        return this;
    }

    /** Nodes started from now on run on such a machine. */
    public TestNetwork withLayout(CpuLayout machine) {
        layout = machine;
        return this;
    }

    /** The device of a NID is on a NUMA node. */
    public TestNetwork withDeviceOn(String nid, int numaNode) {
        numaNodes.put(Nid.parse(nid), numaNode);
        return this;
    }

    int numaNode(Nid nid) {
        return numaNodes.getOrDefault(nid, -1);
    }

    /** All threads of all nodes are on a CPU from now on. */
    public void runOn(int cpu) {
        hosts.forEach(host -> host.runOn(cpu));
    }

    /** Starts a node with the given NIDs. */
    public LNet node(String... nids) {
        return node(Settings.of(CompatProfile.DOCUMENTS), nids);
    }

    /** Starts a node with the given NIDs. */
    public LNet node(Settings settings, String... nids) {
        TestHost host = new TestHost(wallStart, layout);
        wallStart += 1_000_000_000L;
        hosts.add(host);
        LNetConfig.Builder config =
                LNetConfig.builder().host(host).lnd(new TestLnd.Provider(this)).settings(settings);
        if (listener != null) {
            config.listener(listener);
        }
        host.setTracer(tracer);
        for (String nid : nids) {
            config.ni(request(nid));
        }
        LNet node = LNet.start(config.build());
        nodes.add(node);
        settle();
        return node;
    }

    /** Asks for an NI with the tunables of this network. */
    public NiRequest request(String nid) {
        return NiRequest.ofNid(Nid.parse(nid)).withTunables(tunables);
    }

    /** Loses messages that fit, after they were sent. */
    public void lose(Predicate<Packet> which) {
        loss = which;
    }

    /** Loses messages of a type. */
    public void lose(MessageType type) {
        loss = packet -> packet.header().type() == type;
    }

    /** Damages messages that fit: their payload does not arrive. */
    public void damage(Predicate<Packet> which) {
        damage = which;
    }

    /** Keeps messages that fit in the transport. */
    public void hold(Predicate<LNetHeader> which) {
        hold = which;
    }

    /** Keeps messages whose next hop is a NID in the transport. */
    public void stall(Nid nextHop) {
        stalled.add(nextHop);
    }

    /** Lets nothing get to a NID any more: sending there fails at once. */
    public void cut(Nid nextHop) {
        cut.add(nextHop);
    }

    /** Lets the messages that were kept longest go, and keeps further ones. */
    public void release(int count) {
        Predicate<LNetHeader> holding = hold;
        hold = header -> false;
        for (int i = 0; i < count && !held.isEmpty(); i++) {
            held.poll().run();
        }
        hold = holding;
        settle();
    }

    /** Lets those messages go that what {@link #hold} was last told does not fit. */
    public void releaseOthers() {
        for (int i = held.size(); i > 0; i--) {
            held.remove().run();
        }
        settle();
    }

    /** Lets all messages go and keeps no more. */
    public void releaseAll() {
        hold = header -> false;
        stalled.clear();
        while (!held.isEmpty()) {
            held.poll().run();
        }
        settle();
    }

    /** Returns how many messages are kept. */
    public int heldCount() {
        return held.size();
    }

    /** Fails the sending of messages. */
    public void fail(Function<LNetHeader, @Nullable Failure> how) {
        failure = how;
    }

    /** Fails the sending of the next messages that fit, then of no more. */
    public void failNext(int count, HealthStatus health, Predicate<LNetHeader> which) {
        int[] left = {count};
        failure = header -> which.test(header) && left[0]-- > 0 ? new Failure(Errno.EIO, health) : null;
    }

    /** Gives transports a limit of their own, s, and makes them need so many messages for each of the stack's. */
    public void withLnd(int seconds, int parts) {
        lndSeconds = seconds;
        lndParts = parts;
    }

    void noteTimeout(LndMessage message) {
        timeouts.put(message.header().portal(), message.timeoutNanos());
    }

    /** Returns the limit that a transport got for the last message to a portal, ns. */
    public long timeoutOn(int portal) {
        return timeouts.getOrDefault(portal, 0L);
    }

    /** Returns those sends about which the stack hears later. */
    public LateSends late() {
        return late;
    }

    /** Does not take messages. */
    public void refuse(Function<LNetHeader, @Nullable Errno> how) {
        refusal = how;
    }

    /** Payloads arrive later than their headers from now on: when the network is fast again. */
    public void slow() {
        slow = true;
    }

    /** Payloads arrive with their headers from now on; those that are on their way arrive now, all together. */
    public void fast() {
        slow = false;
        Map<Consumer<Boolean>, Endpoint> all = new LinkedHashMap<>(payloads);
        payloads.clear();
        all.keySet().forEach(each -> each.accept(true));
        all.values().forEach(each -> each.stack().flush());
        settle();
    }

    /**
     * A payload arrives, now or later.
     *
     * @param payload brings it; told whether it is one of several that are completed together
     */
    void bring(Endpoint to, Consumer<Boolean> payload) {
        if (slow) {
            payloads.put(payload, to);
        } else {
            payload.accept(false);
        }
    }

    /** Does something while an NI is being started. */
    public void whenStarting(Consumer<LndNi> action) {
        whenStarting = action;
    }

    void starting(LndNi ni) {
        whenStarting.accept(ni);
    }

    /** Does something when an NI has been stopped. */
    public void whenStopped(Consumer<LndNi> action) {
        whenStopped = action;
    }

    void stopped(LndNi ni) {
        whenStopped.accept(ni);
    }

    boolean isLost(Packet packet) {
        return loss.test(packet);
    }

    boolean isDamaged(Packet packet) {
        return damage.test(packet);
    }

    boolean isHeld(LNetHeader header, Nid nextHop) {
        return hold.test(header) || stalled.contains(nextHop);
    }

    @Nullable
    Failure failure(LNetHeader header) {
        return failure.apply(header);
    }

    int refusal(LNetHeader header) {
        Errno errno = refusal.apply(header);
        return errno == null ? 0 : errno.status();
    }

    void record(Packet packet) {
        log.add(packet);
    }

    void post(Runnable event) {
        events.add(event);
    }

    /** Returns what receivers refused with an error since the start. */
    public List<Packet> refused() {
        return refused;
    }

    /** Returns the connections that transports were asked to drop since the last call, each as {@code NI > peer}. */
    public List<String> takeDropped() {
        List<String> taken = List.copyOf(dropped);
        dropped.clear();
        return taken;
    }

    /** Returns what went over the wire since the last call. */
    public List<Packet> takeLog() {
        List<Packet> taken = List.copyOf(log);
        log.clear();
        return taken;
    }

    /** Returns what went over the wire since the last call, a line each: type, source, destination, length. */
    public List<String> takeLines() {
        return takeLog().stream()
                .map(p -> p.header().type() + " " + p.header().srcNid() + " > "
                        + p.header().destNid() + (p.payload().length > 0 ? " " + p.payload().length : ""))
                .toList();
    }

    /** Returns the types of what went over the wire since the last call. */
    public List<MessageType> takeTypes() {
        return takeLog().stream().map(p -> p.header().type()).toList();
    }

    /** Delivers messages and runs workers until nothing is left to do. */
    public void settle() {
        int limit = 100_000;
        boolean busy = true;
        while (busy) {
            busy = false;
            while (!events.isEmpty()) {
                events.remove(random == null ? 0 : random.nextInt(events.size()))
                        .run();
                busy = true;
                if (--limit == 0) {
                    throw new AssertionError("the network does not settle");
                }
            }
            for (TestHost host : hosts) {
                busy |= host.runWorkers();
            }
            if (--limit == 0) {
                throw new AssertionError("the workers do not settle");
            }
        }
    }

    /** Runs a few things that are to be done, not all. */
    public void step(int count) {
        for (int i = 0; i < count && !events.isEmpty(); i++) {
            events.remove(random == null ? 0 : random.nextInt(events.size())).run();
        }
        hosts.forEach(TestHost::runWorkers);
    }

    /** Lets time pass everywhere, in steps of one second. */
    public void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            hosts.forEach(host -> host.advance(1_000_000_000L));
            settle();
        }
    }

    /** Lets time pass everywhere, at once. */
    public void jump(long nanos) {
        hosts.forEach(host -> host.advance(nanos));
        settle();
    }

    /** Settles, then returns the result of a stage. */
    public <T> T await(CompletionStage<T> stage) {
        settle();
        if (!stage.toCompletableFuture().isDone()) {
            throw new AssertionError("the stage is not done although nothing is left to do");
        }
        return stage.toCompletableFuture().join();
    }

    /** Settles, then returns the error of a stage. */
    public ErrnoException awaitError(CompletionStage<?> stage) {
        settle();
        if (!stage.toCompletableFuture().isCompletedExceptionally()) {
            throw new AssertionError("the stage has not failed: " + stage);
        }
        return (ErrnoException) stage.toCompletableFuture().exceptionNow();
    }

    /**
     * Puts a message on the wire as if a node that is none of these had sent it; returns the status of the receiver.
     */
    public int inject(Nid from, LNetHeader header, byte[] payload, @Nullable Nid arrivesAt) {
        return TestLnd.arrive(
                this,
                endpoint(arrivesAt == null ? header.destNid() : arrivesAt),
                from,
                header,
                MemorySegment.ofArray(payload),
                0);
    }

    Endpoint endpoint(Nid nid) {
        Endpoint endpoint = endpoints.get(nid);
        if (endpoint == null) {
            throw new AssertionError("no such endpoint");
        }
        return endpoint;
    }

    /** Injects a message that comes from where it says and arrives where it wants. */
    public int inject(LNetHeader header, byte[] payload) {
        return inject(header.srcNid(), header, payload, null);
    }

    /** Puts a message of a node without a stack on the wire. */
    void sendRaw(LNetHeader header, byte[] payload) {
        Packet packet = new Packet(header.srcNid(), header, payload);
        record(packet);
        Endpoint to = endpoints.get(header.destNid());
        if (to != null && !isLost(packet)) {
            post(() -> TestLnd.arrive(this, to, header.srcNid(), header, MemorySegment.ofArray(payload), 0));
        }
    }

    /** Reports something about the device of an NI. */
    public void device(String nid, DeviceEvent event) {
        Endpoint endpoint = endpoint(Nid.parse(nid));
        endpoint.stack().deviceEvent(endpoint.ni(), event);
        settle();
    }

    /** Reports that a peer was found alive or dead. */
    public void notifyPeer(Nid ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        Endpoint endpoint = endpoint(ni);
        endpoint.stack().notifyPeer(endpoint.ni(), peer, alive, reset, whenNanos);
        settle();
    }

    /** Reports the first connection with a peer, or the end of the last for which the peer is not to blame. */
    public void connection(Nid ni, Nid peer, boolean up) {
        Endpoint endpoint = endpoint(ni);
        if (up) {
            endpoint.stack().connected(endpoint.ni(), peer);
        } else {
            endpoint.stack().disconnected(endpoint.ni(), peer);
        }
    }

    /** Returns the time of a node, ns. */
    public long now(LNet node) {
        return hosts.get(nodes.indexOf(node)).nanoTime();
    }

    /** Returns how many workers run. */
    public long openWorkers() {
        return hosts.stream().mapToLong(TestHost::openWorkers).sum();
    }

    @Override
    public void close() {
        nodes.forEach(LNet::close);
        settle();
        if (!unread.isEmpty()) {
            throw new AssertionError(unread.size() + " messages were neither received nor thrown away");
        }
    }
}
