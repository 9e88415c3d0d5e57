package org.railyard.lnet.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * A few nodes that do things to each other at random, on a network that loses, fails, damages, delays and mixes up, for
 * one seed. Checks while it runs and in the end what must hold whatever happens: {@link #run} throws an AssertionError
 * that names the seed.
 */
public class Simulation {
    private static final int PORTAL = 33;
    private static final int STEPS = 120;
    private static final int MAX_BYTES = 200;
    static final long LONGEST_JUMP = 20_000_000_000L;

    /** One PUT or GET by its initiator. */
    private static final class Transaction {
        final LNet node;
        final boolean get;
        final boolean ack;
        final long called;
        long limit;
        int sends;
        int failedSends;
        int answers;
        int goodAnswers;
        int unlinked;

        Transaction(LNet node, long called, boolean get, boolean ack) {
            this.node = node;
            this.called = called;
            this.get = get;
            this.ack = ack;
        }
    }

    /** One descriptor that is attached. */
    private static final class Sink {
        int unlinked;
        boolean inHandler;
    }

    private final long seed;
    final Random random;
    final TestNetwork net;
    final List<LNet> nodes = new ArrayList<>();
    private final List<List<String>> spareNids = new ArrayList<>();
    private final List<Transaction> transactions = new ArrayList<>();
    private final List<Sink> sinks = new ArrayList<>();
    private final List<Md> live = new ArrayList<>();
    private final Map<Long, Integer> arrivals = new LinkedHashMap<>();
    private final List<String> complaints = new ArrayList<>();
    private final int peerCredits;
    private long expired;

    /** Makes a simulation. */
    public Simulation(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        int credits = 2 + random.nextInt(12);
        this.peerCredits = Math.min(1 + random.nextInt(8), credits);
        this.net = new TestNetwork(new Random(seed ^ 0x5eed)).withTunables(peerCredits, credits);
    }

    /** How the transactions of a run ended; to see that runs are about something. */
    public record Tally(int answered, int unanswered, int failed, int delivered, long resent, long expired) {
        /** Returns the sum. */
        public Tally plus(Tally other) {
            return new Tally(
                    answered + other.answered,
                    unanswered + other.unanswered,
                    failed + other.failed,
                    delivered + other.delivered,
                    resent + other.resent,
                    expired + other.expired);
        }
    }

    /** Runs it. */
    public Tally run() {
        try {
            startNodes();
            for (int i = 0; i < STEPS; i++) {
                act();
            }
            settleDown();
            check();
            return tally();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "simulation with seed " + seed + " failed; again with -Dtest="
                            + getClass().getSimpleName() + "Test -Drailyard.seed=" + seed,
                    e);
        }
    }

    void startNodes() {
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            List<String> spare = new ArrayList<>();
            for (int rail = 1; rail < 4; rail++) {
                spare.add("10." + rail + ".0." + (i + 1) + (rail == 3 ? "@tcp1" : "@tcp"));
            }
            startNode(someSettings(), spare, "10.0.0." + (i + 1) + "@tcp");
        }
    }

    void startNode(Settings settings, List<String> spare, String... nids) {
        nodes.add(net.node(settings, nids));
        spareNids.add(spare);
    }

    Settings someSettings() {
        return Settings.of(random.nextInt(4) == 0 ? CompatProfile.LUSTRE : CompatProfile.DOCUMENTS)
                .with(Tunable.TRANSACTION_TIMEOUT, 5 + random.nextInt(50))
                .with(Tunable.RETRY_COUNT, random.nextInt(5))
                .with(Tunable.RESEND_INTERVAL, random.nextInt(3) == 0 ? random.nextInt(4000) : 0)
                .with(Tunable.RESEND_ON_NETWORK_TIMEOUT, random.nextBoolean())
                .with(Tunable.RESEND_ON_REMOTE_TIMEOUT, random.nextBoolean())
                .with(Tunable.HEALTH_SENSITIVITY, 1 + random.nextInt(300))
                .with(Tunable.HEALTH_RECOVERY_INCREMENT, random.nextInt(300))
                .with(Tunable.REQUEUE_ON_NI_FAILURE, random.nextInt(3) > 0)
                .with(Tunable.DISCOVERY, random.nextInt(6) > 0)
                .with(Tunable.MULTI_RAIL, random.nextInt(6) > 0);
    }

    LNet someNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    void act() {
        LNet node = someNode();
        switch (random.nextInt(22)) {
            case 0, 1, 2, 3, 4, 5 -> transact(node);
            case 6, 7, 8 -> attach(node);
            case 9 -> unlinkOne();
            case 10 -> changeNis(node);
            case 11 -> changeLoss();
            case 12 -> net.pass(random.nextInt(4));
            case 13 -> lazy(node);
            case 14 -> discover(node);
            case 15 -> net.late().complete();
            case 16 -> net.release(random.nextInt(5));
            case 17 -> changeDevice(node);
            default -> net.step(1 + random.nextInt(12));
        }
    }

    private MemorySegment memory(int bytes) {
        return Arena.ofAuto().allocate(Math.max(1, bytes)).asSlice(0, bytes);
    }

    private ProcessId someTarget() {
        LNet to = nodes.get(random.nextInt(nodes.size()));
        List<Nid> nids = to.nids();
        return switch (random.nextInt(24)) {
            case 0 -> ProcessId.of(Nid.LOOPBACK);
            case 1 -> ProcessId.of(Nid.parse("10.0.0.99@tcp"));
            case 2 -> ProcessId.of(Nid.parse("10.0.0.1@tcp9"));
            default -> ProcessId.of(nids.isEmpty() ? Nid.LOOPBACK : nids.get(random.nextInt(nids.size())));
        };
    }

    private void transact(LNet node) {
        Transaction transaction = new Transaction(node, net.now(node), random.nextInt(3) == 0, random.nextBoolean());
        Settings settings = node.settings();
        if (settings.is(Tunable.EXPIRE_ACTIVE_MESSAGES) && !settings.is(Tunable.DEADLINE_RULE)) {
            transaction.limit = settings.get(Tunable.TRANSACTION_TIMEOUT) * 1_000_000_000L;
        }
        int bytes = 8 + random.nextInt(MAX_BYTES);
        MdConfig config = MdConfig.of(memory(bytes))
                .withThreshold(transaction.get || transaction.ack ? 2 : 1)
                .withAutoUnlink()
                .withOptions(MdOption.TRACK_RESPONSE, MdOption.TRUNCATE)
                .withHandler(event -> initiatorEvent(transaction, event));
        Nid self =
                random.nextInt(8) == 0 && !node.nids().isEmpty() ? node.nids().getFirst() : Nid.ANY;
        long bits = random.nextInt(4);
        transactions.add(transaction);
        Md md = null;
        try {
            md = node.bind(config);
            md.memory().getFirst().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, transactions.size());
            if (transaction.get) {
                node.get(md, self, someTarget(), PORTAL, bits, random.nextInt(50));
            } else {
                ProcessId target = someTarget();
                node.put(md, transaction.ack, self, target, PORTAL, bits, random.nextInt(50), transactions.size());
            }
            live.add(md);
        } catch (ErrnoException e) {
            complaints.add("refused: " + e);
        }
    }

    private void initiatorEvent(Transaction transaction, Event event) {
        complainIf(transaction.unlinked > 0, event.kind() + " after the last event");
        switch (event.kind()) {
            case SEND -> {
                long took = net.now(transaction.node) - transaction.called;
                // What is answered is no more overdue: only its memory is not free until the transport says so.
                complainIf(
                        transaction.answers == 0 && transaction.limit > 0 && took > transaction.limit + LONGEST_JUMP,
                        "a SEND took " + took + " ns, the limit is " + transaction.limit);
                expired += event.status() == Errno.ETIMEDOUT.status() ? 1 : 0;
                transaction.sends++;
                transaction.failedSends += event.status() < 0 ? 1 : 0;
                if (event.status() < 0 && !event.unlinked() && !event.md().isUnlinked()) {
                    event.md().unlink();
                }
            }
            case ACK, REPLY -> {
                transaction.answers++;
                transaction.goodAnswers += event.status() == 0 ? 1 : 0;
            }
            case UNLINK -> {}
            case PUT, GET -> complainIf(true, "a passive event on a bound descriptor");
        }
        transaction.unlinked += event.unlinked() ? 1 : 0;
    }

    private void attach(LNet node) {
        Sink sink = new Sink();
        sinks.add(sink);
        long bits = random.nextInt(4);
        MdConfig config = MdConfig.of(memory(random.nextInt(MAX_BYTES)), memory(random.nextInt(MAX_BYTES)))
                .withOptions(sinkOptions())
                .withThreshold(random.nextInt(5) == 0 ? -1 : 1 + random.nextInt(6))
                .withHandler(event -> sinkEvent(node, sink, event));
        if (random.nextInt(4) > 0) {
            config = config.withAutoUnlink();
        }
        if (random.nextInt(5) == 0) {
            config = config.withMaxSize(0);
        }
        long ignore = random.nextInt(3) == 0 ? 1 : 0;
        live.add(node.attach(new MeConfig(PORTAL, ProcessId.ANY, bits, ignore, random.nextBoolean()), config));
    }

    private MdOption[] sinkOptions() {
        List<MdOption> options = new ArrayList<>(List.of(MdOption.OP_PUT));
        for (MdOption option : new MdOption[] {MdOption.OP_GET, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE}) {
            if (random.nextInt(3) > 0) {
                options.add(option);
            }
        }
        for (MdOption option : new MdOption[] {MdOption.ACK_DISABLE, MdOption.DISCARD}) {
            if (random.nextInt(8) == 0) {
                options.add(option);
            }
        }
        return options.toArray(MdOption[]::new);
    }

    private void sinkEvent(LNet node, Sink sink, Event event) {
        complainIf(sink.inHandler, "the handler of one descriptor is called while it runs");
        complainIf(sink.unlinked > 0, event.kind() + " after the last event");
        sink.inHandler = true;
        if (event.kind() == EventKind.PUT) {
            complainIf(arrivals.merge(event.hdrData(), 1, Integer::sum) > 1, "a PUT was delivered twice");
            if (random.nextInt(6) == 0) {
                transact(node);
            }
        }
        if (random.nextInt(30) == 0 && !event.unlinked() && !event.md().isUnlinked()) {
            event.md().unlink();
        }
        sink.unlinked += event.unlinked() ? 1 : 0;
        sink.inHandler = false;
        if (random.nextInt(50) == 0) {
            throw new IllegalStateException("handlers may fail");
        }
    }

    /** What a handler throws does not get far: it is kept. */
    private void complainIf(boolean condition, String complaint) {
        if (condition) {
            complaints.add(complaint);
        }
    }

    private void unlinkOne() {
        if (!live.isEmpty()) {
            Md md = live.remove(random.nextInt(live.size()));
            if (!md.isUnlinked()) {
                md.unlink();
            }
        }
    }

    private void changeNis(LNet node) {
        List<String> spare = spareNids.get(nodes.indexOf(node));
        if (random.nextBoolean() && !spare.isEmpty()) {
            node.addNi(net.request(spare.remove(random.nextInt(spare.size()))));
        } else if (!node.nids().isEmpty()) {
            Nid gone = node.nids().get(random.nextInt(node.nids().size()));
            node.removeNi(gone);
            spare.add(gone.toString());
        }
    }

    private void changeLoss() {
        int lost = random.nextInt(4) == 0 ? random.nextInt(30) : 0;
        int failing = random.nextInt(4) == 0 ? random.nextInt(30) : 0;
        int refusing = random.nextInt(6) == 0 ? random.nextInt(30) : 0;
        int damaging = random.nextInt(6) == 0 ? random.nextInt(30) : 0;
        int late = random.nextInt(3) == 0 ? random.nextInt(60) : 0;
        int held = random.nextInt(3) == 0 ? random.nextInt(60) : 0;
        net.lose(packet -> random.nextInt(100) < lost);
        net.fail(header ->
                random.nextInt(100) < failing ? new TestNetwork.Failure(Errno.ECONNRESET, anyFailure()) : null);
        net.refuse(header -> random.nextInt(100) < refusing ? Errno.ENOBUFS : null);
        net.damage(packet -> random.nextInt(100) < damaging);
        net.late().keep(packet -> random.nextInt(100) < late);
        net.hold(header -> random.nextInt(100) < held);
    }

    private HealthStatus anyFailure() {
        HealthStatus[] all = HealthStatus.values();
        return all[random.nextInt(all.length)];
    }

    private void changeDevice(LNet node) {
        if (!node.nids().isEmpty()) {
            DeviceEvent[] events = DeviceEvent.values();
            net.device(
                    node.nids().get(random.nextInt(node.nids().size())).toString(),
                    events[random.nextInt(events.length)]);
        }
    }

    private void lazy(LNet node) {
        if (random.nextBoolean()) {
            node.setLazyPortal(PORTAL);
        } else {
            node.clearLazyPortal(PORTAL);
        }
    }

    private void discover(LNet node) {
        Nid target = someTarget().nid();
        node.discover(target, random.nextBoolean());
    }

    /** No losses, and time for everything that waits to end. */
    void settleDown() {
        net.lose(packet -> false);
        net.fail(header -> null);
        net.refuse(header -> null);
        net.damage(packet -> false);
        net.late().keep(packet -> false);
        for (LNet node : nodes) {
            node.nids().forEach(nid -> net.device(nid.toString(), DeviceEvent.CLEAR));
        }
        for (int i = 0; i < 12; i++) {
            net.releaseAll();
            net.late().complete();
            net.jump(LONGEST_JUMP);
        }
        nodes.forEach(node -> node.clearLazyPortal(PORTAL));
    }

    private void check() {
        for (Transaction transaction : transactions) {
            checkTransaction(transaction);
        }
        nodes.forEach(this::checkRest);
        net.close();
        for (LNet node : nodes) {
            require(node.messagesInUse() == 0, node.messagesInUse() + " messages are in use after close");
        }
        require(net.openWorkers() == 0, "a worker runs after close");
        for (Sink sink : sinks) {
            require(sink.unlinked == 1, "an attached descriptor saw its end " + sink.unlinked + " times");
        }
        require(complaints.isEmpty(), String.join("; ", complaints));
    }

    private Tally tally() {
        long resent = nodes.stream()
                .mapToLong(node -> node.statistics().get(Statistic.RESEND_COUNT))
                .sum();
        Tally tally = new Tally(0, 0, 0, arrivals.size(), resent, expired);
        for (Transaction t : transactions) {
            boolean unanswered = t.failedSends == 0 && t.answers == 0 && (t.get || t.ack);
            tally = tally.plus(
                    new Tally(t.goodAnswers, t.answers - t.goodAnswers + (unanswered ? 1 : 0), t.failedSends, 0, 0, 0));
        }
        return tally;
    }

    private static void checkTransaction(Transaction transaction) {
        String what = transaction.get ? "GET" : transaction.ack ? "PUT with ACK" : "PUT";
        require(transaction.unlinked == 1, "a " + what + " saw its end " + transaction.unlinked + " times");
        require(transaction.sends <= 1, "a " + what + " was sent " + transaction.sends + " times");
        require(transaction.answers <= 1, "a " + what + " was answered " + transaction.answers + " times");
        require(transaction.sends + transaction.answers > 0, "a " + what + " ended without an outcome");
    }

    /** Nothing is on its way: all credits are back. What waits in unused portals may wait on. */
    void checkRest(LNet node) {
        for (NiInfo ni : node.nis()) {
            require(ni.credits() == ni.maxCredits(), ni + " misses credits");
        }
        for (PeerInfo peer : node.peers()) {
            for (PeerInfo.PeerNiInfo ni : peer.nis()) {
                require(ni.queuedBytes() == 0, ni + " has bytes queued");
                boolean local = node.nids().stream().anyMatch(nid -> nid.isOnNetOf(ni.nid()));
                require(ni.credits() == (local ? peerCredits : 0), ni + " misses credits");
            }
        }
    }

    static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
