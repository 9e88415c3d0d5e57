package org.railyard.lnet.sim;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NidUpdate;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * A few nodes whose NIs come and go, whose addresses go from one to another, and which discover, configure, lock and
 * delete each other at random, for one seed. Checks all the time that the peer tables are sound, and in the end that
 * nothing waits any more: {@link #run} throws an AssertionError that names the seed.
 */
public final class PeerSimulation {
    private static final int PORTAL = 33;
    private static final int STEPS = 150;
    private static final int NODES = 4;
    private static final int ADDRESSES = 10;

    private final long seed;
    private final Random random;
    private final TestNetwork net;
    private final List<LNet> nodes = new ArrayList<>();
    private final Set<Nid> unused = new LinkedHashSet<>();
    private final List<Nid> everything = new ArrayList<>();
    private final List<CompletionStage<?>> stages = new ArrayList<>();
    private final List<Recorder> sends = new ArrayList<>();
    private final List<Map<Nid, List<Nid>>> told = new ArrayList<>();
    private int refused;
    private int merged;

    /** Makes a simulation. */
    public PeerSimulation(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.net = new TestNetwork(new Random(seed ^ 0x5eed));
    }

    /** What happened in a run; to see that runs are about something. */
    public record Tally(int sent, int discovered, int refused, int merged) {
        /** Returns the sum. */
        public Tally plus(Tally other) {
            return new Tally(
                    sent + other.sent, discovered + other.discovered, refused + other.refused, merged + other.merged);
        }
    }

    /** Runs it. */
    public Tally run() {
        try {
            startNodes();
            for (int i = 0; i < STEPS; i++) {
                act();
                nodes.forEach(this::checkTable);
            }
            settleDown();
            nodes.forEach(this::checkTable);
            nodes.forEach(this::checkRest);
            return end();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "peer simulation with seed " + seed
                            + " failed; again with -Dtest=PeerSimulationTest -Drailyard.seed=" + seed,
                    e);
        }
    }

    private void startNodes() {
        for (int i = 0; i < ADDRESSES; i++) {
            Nid nid = Nid.parse("10.0.0." + (i + 1) + (i % 3 == 2 ? "@tcp1" : "@tcp"));
            unused.add(nid);
            everything.add(nid);
        }
        for (int i = 0; i < NODES; i++) {
            Settings settings = Settings.of(CompatProfile.DOCUMENTS)
                    .with(Tunable.TRANSACTION_TIMEOUT, 20)
                    .with(Tunable.DISCOVERY, random.nextInt(6) > 0)
                    .with(Tunable.MULTI_RAIL, random.nextInt(8) > 0)
                    .with(Tunable.LOCK_PRIM_NID, random.nextInt(5) > 0)
                    .with(Tunable.VERIFY_PEER_IDENTITY, random.nextInt(4) > 0);
            LNet node = net.node(settings, pick(unused).toString());
            node.attach(
                    MeConfig.any(PORTAL),
                    MdConfig.of(Arena.ofAuto().allocate(8)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
            Map<Nid, List<Nid>> seen = new LinkedHashMap<>();
            Consumer<NidUpdate> listener = update -> {
                if (!update.local()) {
                    seen.put(update.primaryNid(), update.nids());
                }
            };
            node.registerNidUpdates(listener);
            told.add(seen);
            nodes.add(node);
        }
    }

    private Nid pick(Set<Nid> from) {
        Nid picked = List.copyOf(from).get(random.nextInt(from.size()));
        from.remove(picked);
        return picked;
    }

    private Nid anyNid() {
        return everything.get(random.nextInt(everything.size()));
    }

    private List<Nid> someNids() {
        List<Nid> nids = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            nids.add(anyNid());
        }
        return nids;
    }

    private void act() {
        LNet node = nodes.get(random.nextInt(nodes.size()));
        int before = node.peers().size();
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4 -> put(node);
            case 5, 6 -> note(node.discover(anyNid(), random.nextBoolean()));
            case 7, 8 -> changeNis(node);
            case 9 -> attempt(() -> node.addPeer(someNids()));
            case 10 -> note(node.primaryNid(anyNid()));
            case 11 -> node.peerDiscovered(anyNid());
            case 12 ->
                attempt(() -> node.peerConfiguration()
                        .add(anyNid(), someNids(), random.nextInt(4) > 0, random.nextInt(6) == 0));
            case 13 -> attempt(() -> node.peerConfiguration().delete(anyNid(), random.nextBoolean()));
            case 14 -> attempt(() -> node.peerConfiguration().delete(anyNid(), someNids(), random.nextBoolean()));
            case 15 -> attempt(() -> node.peerConfiguration().addNid(anyNid(), anyNid(), true));
            case 16 -> attempt(() -> node.peerConfiguration().deleteNid(anyNid(), anyNid(), random.nextBoolean()));
            case 17 -> changeDiscovery(node);
            case 18 -> changeLoss();
            case 19 -> net.pass(random.nextInt(4));
            default -> net.step(1 + random.nextInt(12));
        }
        merged += Math.max(0, before - node.peers().size());
    }

    private void attempt(Runnable change) {
        try {
            change.run();
        } catch (ErrnoException e) {
            refused++;
        }
    }

    private void note(CompletionStage<?> stage) {
        stages.add(stage);
    }

    private void put(LNet node) {
        Recorder recorder = new Recorder();
        Md md = node.bind(MdConfig.of(Arena.ofAuto().allocate(8))
                .withThreshold(2)
                .withAutoUnlink()
                .withHandler(recorder));
        recorder.then(event -> {
            if (event.status() < 0 && !event.unlinked() && !md.isUnlinked()) {
                md.unlink();
            }
        });
        node.put(md, true, Nid.ANY, ProcessId.of(anyNid()), PORTAL, 7, 0, 0);
        sends.add(recorder);
    }

    private void changeNis(LNet node) {
        List<Nid> own = node.nids();
        if (own.isEmpty() || (random.nextBoolean() && !unused.isEmpty())) {
            if (!unused.isEmpty()) {
                node.addNi(net.request(pick(unused).toString()));
            }
        } else {
            Nid gone = own.get(random.nextInt(own.size()));
            node.removeNi(gone);
            unused.add(gone);
        }
    }

    private void changeDiscovery(LNet node) {
        node.set(Tunable.DISCOVERY, random.nextInt(3) > 0 ? 1 : 0);
    }

    private void changeLoss() {
        int lost = random.nextInt(3) == 0 ? random.nextInt(40) : 0;
        int failing = random.nextInt(3) == 0 ? random.nextInt(40) : 0;
        int held = random.nextInt(3) == 0 ? random.nextInt(60) : 0;
        net.lose(packet -> random.nextInt(100) < lost);
        net.fail(header -> random.nextInt(100) < failing
                ? new TestNetwork.Failure(Errno.ECONNRESET, HealthStatus.REMOTE_DROPPED)
                : null);
        net.hold(header -> random.nextInt(100) < held);
    }

    private void settleDown() {
        net.lose(packet -> false);
        net.fail(header -> null);
        for (int i = 0; i < 80; i++) {
            net.releaseAll();
            net.jump(10_000_000_000L);
        }
        net.releaseAll();
    }

    private void checkTable(LNet node) {
        Set<Nid> seen = new LinkedHashSet<>();
        for (PeerInfo peer : node.peers()) {
            require(!peer.nis().isEmpty(), peer + " has no NID");
            for (PeerNiInfo ni : peer.nis()) {
                require(seen.add(ni.nid()), ni.nid() + " is in two peers of " + node.nids());
            }
            require(
                    peer.nis().getFirst().nid().equals(peer.primaryNid()),
                    peer + " does not begin with its primary NID");
            require(node.knownPrimaryNid(peer.primaryNid()).equals(peer.primaryNid()), peer + " is not found");
        }
    }

    /** Nothing happens any more: nobody is being asked, and nothing waits. */
    private void checkRest(LNet node) {
        for (PeerInfo peer : node.peers()) {
            int busy = PeerState.DISCOVERING
                    | PeerState.DATA_PRESENT
                    | PeerState.PING_SENT
                    | PeerState.PUSH_SENT
                    | PeerState.PING_FAILED
                    | PeerState.PUSH_FAILED
                    | PeerState.MARK_DELETION;
            require((peer.state() & busy) == 0, peer + " is stuck in state " + Integer.toHexString(peer.state()));
            for (PeerNiInfo ni : peer.nis()) {
                require(ni.queuedBytes() == 0, ni + " has bytes queued");
            }
        }
        Map<Nid, List<Nid>> seen = told.get(nodes.indexOf(node));
        seen.values().removeIf(List::isEmpty);
        Map<Nid, List<Nid>> real = new LinkedHashMap<>();
        for (PeerInfo peer : node.peers()) {
            real.put(peer.primaryNid(), peer.nis().stream().map(PeerNiInfo::nid).toList());
        }
        require(seen.keySet().equals(real.keySet()), "told of " + seen + ", there are " + real);
        real.forEach((primary, nids) -> require(
                Set.copyOf(nids).equals(Set.copyOf(seen.get(primary))), "told of " + seen + ", there are " + real));
    }

    private Tally end() {
        int discovered = 0;
        for (CompletionStage<?> stage : stages) {
            require(stage.toCompletableFuture().isDone(), "somebody still waits for a peer");
            discovered += stage.toCompletableFuture().isCompletedExceptionally() ? 0 : 1;
        }
        int sent = 0;
        for (Recorder recorder : sends) {
            require(
                    recorder.events().stream().filter(event -> event.unlinked()).count() == 1,
                    "a message has not ended");
            sent += recorder.lines().contains("ACK!") ? 1 : 0;
        }
        net.close();
        for (LNet node : nodes) {
            require(node.messagesInUse() == 0, node.messagesInUse() + " messages are in use after close");
        }
        require(net.openWorkers() == 0, "a worker runs after close");
        return new Tally(sent, discovered, refused, merged);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
