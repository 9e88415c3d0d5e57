package org.railyard.lnet.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.railyard.lnet.CompatProfile;
import org.railyard.lnet.Errno;
import org.railyard.lnet.Event;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Md;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.MeConfig;
import org.railyard.lnet.NiInfo;
import org.railyard.lnet.PeerInfo;
import org.railyard.lnet.RouterBufferInfo;
import org.railyard.lnet.Settings;
import org.railyard.lnet.Statistic;
import org.railyard.lnet.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * Nodes on three nets in a row, with two routers between the first two and one behind them, for one seed: messages go across while the network fails, and
 * routers lose NIs, stop, start, and have few buffers. Checks what must hold whatever happens: {@link #run} throws an AssertionError that names the seed.
 */
public final class RouterSimulation {
    private static final int PORTAL = 33;
    private static final int STEPS = 150;
    private static final int MAX_BYTES = 6000;
    private static final long LONGEST_JUMP = 30_000_000_000L;
    private static final String[] ENDS = {
        "10.0.0.1@tcp", "10.0.0.2@tcp", "10.1.0.1@tcp1", "10.1.0.2@tcp1", "10.2.0.1@tcp2"
    };
    private static final String[][] ROUTERS = {
        {"10.0.0.8@tcp", "10.1.0.8@tcp1"}, {"10.0.0.9@tcp", "10.1.0.9@tcp1"}, {"10.1.0.7@tcp1", "10.2.0.7@tcp2"}
    };
    private static final int FIRST_ROUTER = ENDS.length;

    /** One PUT with ACK or GET by its initiator. */
    private static final class Transaction {
        int sends;
        int answers;
        int good;
        int unlinked;
    }

    private final long seed;
    private final Random random;
    private final TestNetwork net;
    private final int peerCredits;
    private final List<LNet> nodes = new ArrayList<>();
    private final Map<LNet, List<String>> missing = new LinkedHashMap<>();
    private final List<Transaction> transactions = new ArrayList<>();
    private final Map<Long, Integer> arrivals = new LinkedHashMap<>();
    private final List<String> complaints = new ArrayList<>();

    /** Makes a simulation. */
    public RouterSimulation(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        int credits = 2 + random.nextInt(12);
        this.peerCredits = Math.min(1 + random.nextInt(8), credits);
        this.net = new TestNetwork(new Random(seed ^ 0x5eed)).withTunables(peerCredits, credits);
    }

    /** How the transactions of a run ended; to see that runs are about something. */
    public record Tally(int answered, int unanswered, long forwarded, long waited, long dropped) {
        /** Returns the sum. */
        public Tally plus(Tally other) {
            return new Tally(
                    answered + other.answered,
                    unanswered + other.unanswered,
                    forwarded + other.forwarded,
                    waited + other.waited,
                    dropped + other.dropped);
        }
    }

    /** Runs it. */
    public Tally run() {
        try {
            start();
            long waited = 0;
            for (int i = 0; i < STEPS; i++) {
                act();
                waited += waiting();
            }
            settleDown();
            check();
            return tally(waited);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "simulation with seed " + seed + " failed; again with -Dtest=RouterSimulationTest -Drailyard.seed="
                            + seed,
                    e);
        }
    }

    private Settings settings() {
        return Settings.of(random.nextInt(4) == 0 ? CompatProfile.LUSTRE : CompatProfile.DOCUMENTS)
                .with(Tunable.TRANSACTION_TIMEOUT, 5 + random.nextInt(30))
                .with(Tunable.RETRY_COUNT, random.nextInt(4))
                .with(Tunable.HEALTH_SENSITIVITY, 1 + random.nextInt(300))
                .with(Tunable.DISCOVERY, random.nextInt(8) > 0)
                .with(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(10))
                .with(Tunable.ROUTER_PING_TIMEOUT, 1 + random.nextInt(10));
    }

    private void start() {
        for (String nid : ENDS) {
            nodes.add(net.node(settings(), nid));
        }
        for (String[] nids : ROUTERS) {
            LNet router = net.node(
                    settings()
                            .with(Tunable.FORWARDING, random.nextInt(4) > 0 ? 1 : 0)
                            .with(Tunable.TINY_BUFFERS, 1 + random.nextInt(6))
                            .with(Tunable.SMALL_BUFFERS, 1 + random.nextInt(4))
                            .with(Tunable.LARGE_BUFFERS, 1 + random.nextInt(3))
                            .with(Tunable.PEER_BUFFER_CREDITS, random.nextInt(5)),
                    nids);
            router.routing().enable();
            missing.put(router, new ArrayList<>());
            nodes.add(router);
        }
        for (int i = 0; i < nodes.size(); i++) {
            addRoutes(nodes.get(i));
        }
        for (int i = 0; i < FIRST_ROUTER; i++) {
            sink(nodes.get(i));
        }
        net.pass(3);
    }

    private void addRoutes(LNet node) {
        for (String[] router : ROUTERS) {
            for (int side = 0; side < 2; side++) {
                Nid gateway = Nid.parse(router[side]);
                for (Net far : List.of(Net.parse("tcp"), Net.parse("tcp1"), Net.parse("tcp2"))) {
                    addRoute(node, far, gateway, Nid.parse(router[1 - side]).net());
                }
            }
        }
    }

    private void addRoute(LNet node, Net far, Nid gateway, Net other) {
        boolean here = node.nids().stream().anyMatch(nid -> nid.isOnNetOf(gateway));
        boolean there = node.nids().stream().anyMatch(nid -> nid.isOn(far));
        // Away from the gateway's near side, towards the other.
        boolean leads = gateway.isOn(Net.parse("tcp"))
                || other.equals(Net.parse("tcp2"))
                || (far.equals(Net.parse("tcp")) || gateway.isOn(Net.parse("tcp2")));
        if (here && !there && leads && !node.nids().contains(gateway) && !gateway.isOn(far)) {
            try {
                node.routes().add(far, gateway, -1, 0);
            } catch (LNetException e) {
                if (e.errno() != Errno.EEXIST) {
                    throw e;
                }
            }
        }
    }

    private void sink(LNet node) {
        node.attach(
                MeConfig.of(PORTAL, 1),
                MdConfig.of(Arena.ofAuto().allocate(MAX_BYTES))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                        .withHandler(this::arrived));
    }

    private void arrived(Event event) {
        if (event.kind() == EventKind.PUT
                && event.status() == 0
                && arrivals.merge(event.hdrData(), 1, Integer::sum) > 1) {
            complaints.add("a PUT was delivered twice");
        }
    }

    private void act() {
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> transact();
            case 8 -> changeWeather();
            case 9, 10 -> net.pass(random.nextInt(4));
            case 11 -> net.release(random.nextInt(5));
            case 12 -> net.completeLate();
            case 13 -> changeNis(router());
            case 14 -> changeDevice(router());
            case 15 -> changeBuffers(router());
            case 16 -> turn(router());
            case 17 -> addRoutes(nodes.get(random.nextInt(nodes.size())));
            default -> net.step(1 + random.nextInt(20));
        }
    }

    private LNet router() {
        return nodes.get(FIRST_ROUTER + random.nextInt(ROUTERS.length));
    }

    private LNet end() {
        return nodes.get(random.nextInt(FIRST_ROUTER));
    }

    private void transact() {
        LNet from = end();
        ProcessId target = ProcessId.of(end().nids().getFirst());
        Transaction transaction = new Transaction();
        transactions.add(transaction);
        int bytes = random.nextInt(3) == 0 ? 0 : 8 + random.nextInt(MAX_BYTES - 8);
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(8, bytes)).asSlice(0, bytes);
        Md md = from.bind(MdConfig.of(memory)
                .withThreshold(2)
                .withAutoUnlink()
                .withOptions(MdOption.TRACK_RESPONSE)
                .withHandler(event -> initiatorEvent(transaction, event)));
        if (random.nextBoolean()) {
            from.get(md, Nid.ANY, target, PORTAL, 1, 0);
        } else {
            if (bytes > 0) {
                memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, transactions.size());
            }
            from.put(md, true, Nid.ANY, target, PORTAL, 1, 0, transactions.size());
        }
    }

    private static void initiatorEvent(Transaction transaction, Event event) {
        if (event.kind() == EventKind.SEND) {
            transaction.sends++;
            if (event.status() < 0 && !event.unlinked() && !event.md().isUnlinked()) {
                event.md().unlink();
            }
        } else if (event.kind() == EventKind.ACK || event.kind() == EventKind.REPLY) {
            transaction.answers++;
            transaction.good += event.status() == 0 ? 1 : 0;
        }
        transaction.unlinked += event.unlinked() ? 1 : 0;
    }

    private void changeWeather() {
        int lost = random.nextInt(4) == 0 ? random.nextInt(30) : 0;
        int failing = random.nextInt(3) == 0 ? random.nextInt(30) : 0;
        int refusing = random.nextInt(6) == 0 ? random.nextInt(30) : 0;
        int damaging = random.nextInt(6) == 0 ? random.nextInt(30) : 0;
        int late = random.nextInt(3) == 0 ? random.nextInt(60) : 0;
        int held = random.nextInt(3) == 0 ? random.nextInt(80) : 0;
        net.lose(packet -> random.nextInt(100) < lost);
        net.fail(header ->
                random.nextInt(100) < failing ? new TestNetwork.Failure(Errno.ECONNRESET, anyFailure()) : null);
        net.refuse(header -> random.nextInt(100) < refusing ? Errno.ENOBUFS : null);
        net.damage(packet -> random.nextInt(100) < damaging);
        net.delayCompletion(packet -> random.nextInt(100) < late);
        net.hold(header -> random.nextInt(100) < held);
    }

    private HealthStatus anyFailure() {
        HealthStatus[] all = HealthStatus.values();
        return all[random.nextInt(all.length)];
    }

    private void changeNis(LNet router) {
        List<String> gone = missing.getOrDefault(router, new ArrayList<>());
        if (!gone.isEmpty()) {
            Net back = Nid.parse(gone.getFirst()).net();
            if (router.routes().list().stream().anyMatch(route -> route.net().equals(back))) {
                router.routes().delete(back, Nid.ANY);
            }
            router.addNi(net.request(gone.removeFirst()));
            addRoutes(router);
        } else if (random.nextInt(3) == 0) {
            Nid nid = router.nids().get(random.nextInt(2));
            router.removeNi(nid);
            gone.add(nid.toString());
        }
    }

    private void changeDevice(LNet router) {
        if (!router.nids().isEmpty()) {
            DeviceEvent[] events = DeviceEvent.values();
            net.device(
                    router.nids().get(random.nextInt(router.nids().size())).toString(),
                    events[random.nextInt(events.length)]);
        }
    }

    private void changeBuffers(LNet router) {
        Tunable[] sizes = {Tunable.TINY_BUFFERS, Tunable.SMALL_BUFFERS, Tunable.LARGE_BUFFERS};
        router.set(sizes[random.nextInt(sizes.length)], 1 + random.nextInt(6));
    }

    private void turn(LNet router) {
        switch (router.routing().state()) {
            case DISABLED -> router.routing().enable();
            case STOPPING -> net.pass(random.nextInt(10));
            case STARTING, ENABLED -> {
                if (random.nextInt(4) == 0) {
                    router.routing().disable();
                }
            }
        }
    }

    private long waiting() {
        return missing.keySet().stream()
                .flatMap(router -> router.routing().buffers().stream())
                .mapToLong(pool -> Math.max(0, -pool.credits()))
                .sum();
    }

    /** Fair weather, and time for everything that waits to end. */
    private void settleDown() {
        net.lose(packet -> false);
        net.fail(header -> null);
        net.refuse(header -> null);
        net.damage(packet -> false);
        net.delayCompletion(packet -> false);
        for (LNet node : nodes) {
            node.nids().forEach(nid -> net.device(nid.toString(), DeviceEvent.CLEAR));
        }
        for (int i = 0; i < 12; i++) {
            net.releaseAll();
            net.completeLate();
            net.jump(LONGEST_JUMP);
        }
    }

    private void check() {
        for (Transaction transaction : transactions) {
            require(transaction.unlinked == 1, "a transaction saw its end " + transaction.unlinked + " times");
            require(transaction.sends <= 1 && transaction.answers <= 1, "something was told twice");
            require(transaction.sends + transaction.answers > 0, "a transaction ended without an outcome");
        }
        nodes.forEach(this::checkRest);
        net.close();
        for (LNet node : nodes) {
            require(node.messagesInUse() == 0, node.messagesInUse() + " messages are in use after close");
        }
        require(net.openWorkers() == 0, "a worker runs after close");
        require(complaints.isEmpty(), String.join("; ", complaints));
    }

    /** Nothing is on its way: all credits and buffers are back. */
    private void checkRest(LNet node) {
        require(node.messagesInUse() == 0, node.nids() + " has " + node.messagesInUse() + " messages in use");
        for (NiInfo ni : node.nis()) {
            require(ni.credits() == ni.maxCredits(), ni + " misses credits");
        }
        for (RouterBufferInfo pool : node.routing().buffers()) {
            require(pool.credits() == pool.buffers(), pool + " misses buffers");
        }
        int shared = node.settings().get(Tunable.PEER_BUFFER_CREDITS);
        for (PeerInfo peer : node.peers()) {
            for (PeerInfo.PeerNiInfo ni : peer.nis()) {
                boolean local = node.nids().stream().anyMatch(nid -> nid.isOnNetOf(ni.nid()));
                require(ni.queuedBytes() == 0, ni + " has bytes queued");
                require(ni.credits() == (local ? peerCredits : 0), ni + " misses credits");
                require(
                        ni.routerCredits() == (!local ? 0 : shared > 0 ? shared : peerCredits),
                        ni + " misses router credits");
            }
        }
    }

    private Tally tally(long waited) {
        int good = transactions.stream().mapToInt(each -> each.good).sum();
        return new Tally(
                good, transactions.size() - good, sum(Statistic.ROUTE_COUNT), waited, sum(Statistic.DROP_COUNT));
    }

    private long sum(Statistic statistic) {
        return missing.keySet().stream()
                .mapToLong(router -> router.statistics().get(statistic))
                .sum();
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
