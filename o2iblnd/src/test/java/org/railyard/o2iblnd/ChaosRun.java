package org.railyard.o2iblnd;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * Messages and faults by a seed, between three machines with tunables and groups of their own: PUTs and GETs of all
 * sizes, links and cards that fail, lost and late packets, memory that is short, processes that stand still, NIs that
 * stop and start, connections that are dropped. What is said of single messages is kept in a {@link ChaosLedger}. Once
 * all is whole, every message ends within a bounded time; each machine reaches each other one; both know of as many
 * connections; what routes count is what was sent; and nothing is left in the cards behind the last NI.
 */
final class ChaosRun {
    /** How long a stack thinks about a message, and a process stands still, at most, ns. */
    static final long LONGEST_ANSWER = 20 * IbWorld.SECOND;

    static final long LONGEST_FREEZE = 20 * IbWorld.SECOND;

    /**
     * How long a message may take behind the last fault, ns: the process stands still, a connection is waited for, both
     * steps of a PUT have their limit and a quarter more.
     */
    private static final long SETTLE = LONGEST_FREEZE + 40 * IbWorld.SECOND;

    /** How long what is sent when all is whole may take, and how long nothing is under way then, ns. */
    private static final long ROUND = 20 * IbWorld.SECOND;

    private static final long QUIET = IbWorld.SECOND / 2;

    private static final int MACHINES = IbWorld.MACHINES;
    private static final int ROUNDS = 3;
    private static final int BURST = 12;

    /** What is wrong on purpose: a check has to find it. */
    enum Planted {
        NOTHING,
        /** Stacks throw PUTs away that they took. */
        LOST,
        /** Stacks are shown each message twice. */
        TWICE,
        /** A byte of what arrived is another one. */
        SPOILT,
        /** Not all ends of messages are told. */
        KEPT,
        /** A machine is not reached, though all is whole. */
        DEAF,
        /** A machine has not heard that connections have ended. */
        ONE_SIDED,
        /** A message is sent that nobody knows of. */
        UNCOUNTED
    }

    private final SplittableRandom random;
    private final IbWorld world;
    private final ChaosLedger ledger;
    private final ChaosFaults faults;
    private final List<String> story = new ArrayList<>();
    private final ChaosStack[] stacks = new ChaosStack[MACHINES];
    private final Tunables[] tunables = new Tunables[MACHINES];
    private final Targets[] targets = new Targets[MACHINES];
    private final TestNi[] nis = new TestNi[MACHINES];
    private final O2ibLnd[] lnds = new O2ibLnd[MACHINES];
    private final boolean[] up = new boolean[MACHINES];
    private final boolean packsAll;
    private Planted planted = Planted.NOTHING;

    ChaosRun(long seed) {
        random = new SplittableRandom(seed);
        SoftSettings settings = SoftSettings.DEFAULT.withAckTimeout(random.nextBoolean() ? 100_000_000 : 67_000_000);
        world = new IbWorld(settings, IbWorld.RAILS, DeviceAttributes.MLX5, MemoryModel.SCATTERED);
        ledger = new ChaosLedger(world.time());
        faults = new ChaosFaults(world, random.split());
        packsAll = random.nextBoolean();
        for (int machine = 0; machine < MACHINES; machine++) {
            nis[machine] = IbWorld.group(machine, 1 + random.nextInt(IbWorld.RAILS), Map.of());
            stacks[machine] = new ChaosStack(machine, ledger, world.time(), random.split());
            tunables[machine] = tunables();
        }
        for (int machine = 0; machine < MACHINES; machine++) {
            targets[machine] = targets();
            start(machine);
        }
    }

    ChaosRun with(Planted defect) {
        planted = defect;
        return this;
    }

    private int one(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private Tunables tunables() {
        return Tunables.DEFAULT
                .with(O2ibTunable.PEER_CREDITS, one(8, 8, 9, 16, 64))
                .with(O2ibTunable.PEER_CREDITS_HIW, one(0, 0, 1, 7, 60))
                .with(O2ibTunable.CONCURRENT_SENDS, one(0, 0, 4, 8, 100))
                .with(O2ibTunable.CREDITS, one(256, 256, 3, 1, 64))
                .with(O2ibTunable.CONNS_PER_PEER, one(1, 1, 2, 4))
                .with(O2ibTunable.TIMEOUT, one(3, 5, 10))
                .with(O2ibTunable.KEEPALIVE, one(100, 0, 1, 5))
                .with(O2ibTunable.CONN_IDLE_TIMEOUT, one(0, 0, 1, 3))
                .with(O2ibTunable.PROTOCOL, one(2, 2, 2, 1))
                .with(O2ibTunable.PACK, packsAll ? 1 : one(1, 0))
                .with(O2ibTunable.CKSUM, one(0, 1))
                .with(O2ibTunable.MAP_ON_DEMAND, one(1, 0, 16, 256))
                .with(O2ibTunable.USE_FASTREG_GAPS, one(0, 1))
                .with(O2ibTunable.WRQ_SGE, one(2, 1, 8))
                .with(O2ibTunable.NTX, one(512, 256, 4))
                .with(O2ibTunable.FMR_POOL_SIZE, one(512, 200))
                .with(O2ibTunable.BOND_LOCAL_RETRY, one(1, 1, 0))
                .with(O2ibTunable.ROUTE_POLICY, one(0, 1))
                .with(O2ibTunable.ADVERTISE_IPS, one(0, 1))
                .with(O2ibTunable.RACE_ORDER, one(0, 0, 0, 1));
    }

    /** What a machine knows of others, and of itself. */
    private Targets targets() {
        Targets known = new Targets();
        for (int other = 0; other < MACHINES; other++) {
            if (nis[other].interfaceName().contains(",") && random.nextInt(4) > 0) {
                known.put(new Target(
                        IbWorld.nid(other, 0), List.of(IbWorld.address(other, 0), IbWorld.address(other, 1))));
            }
        }
        return known;
    }

    private void start(int machine) {
        lnds[machine] = world.start(machine, stacks[machine], tunables[machine], targets[machine]);
        try {
            lnds[machine].startup(nis[machine]);
            up[machine] = true;
        } catch (ErrnoException e) {
            // A card that is broken, or has no memory.
            story.add(machine + " does not start: " + e.getMessage());
            lnds[machine].close();
        }
    }

    private void stop(int machine) {
        ledger.cut(machine, -1);
        up[machine] = false;
        lnds[machine].shutdown(nis[machine]);
        lnds[machine].close();
        for (int rail = 0; rail < IbWorld.RAILS; rail++) {
            int left = world.device(machine, rail).qpCount();
            if (left > 0) {
                ledger.violation(left + " queue pairs are left of the NI of " + machine);
            }
        }
    }

    /** Runs all of it; returns what was wrong, nothing if all was right. */
    List<String> run() {
        for (ChaosStack each : stacks) {
            each.plant(planted);
        }
        int steps = 10 + random.nextInt(50);
        int faultsInTwelve = 1 + random.nextInt(10);
        for (int step = 0; step < steps && ledger.violations().isEmpty(); step++) {
            int burst = random.nextInt(8) == 0 ? 1 + random.nextInt(40) : random.nextInt(5);
            for (int i = 0; i < burst; i++) {
                int from = random.nextInt(MACHINES);
                send(from, random.nextInt(12) == 0 ? from : other(from));
            }
            if (random.nextInt(12) < faultsInTwelve) {
                fault();
            }
            world.time()
                    .run(
                            switch (random.nextInt(6)) {
                                case 0 -> random.nextLong(5 * IbWorld.SECOND);
                                case 1 -> random.nextLong(IbWorld.SECOND);
                                case 2, 3 -> random.nextLong(5_000_000);
                                default -> random.nextLong(60_000);
                            });
        }
        heal();
        world.time().run(SETTLE);
        ledger.checkAllAreOver();
        for (int round = 0; round < ROUNDS; round++) {
            // What does not work any more is found by the first one.
            sendAll(round > 0);
        }
        checkBothEnds();
        end();
        ledger.checkOutcomes();
        return ledger.violations();
    }

    /** Returns what happened besides messages, in order. */
    List<String> story() {
        return story;
    }

    private int other(int machine) {
        return (machine + 1 + random.nextInt(MACHINES - 1)) % MACHINES;
    }

    private void fault() {
        int machine = random.nextInt(MACHINES);
        int other = other(machine);
        String what = switch (random.nextInt(16)) {
            case 0 -> drop(machine, other);
            case 1 -> turn(machine);
            default -> faults.next(machine, other);
        };
        story.add(world.time().now() / 1000 + " µs: " + what);
    }

    private String drop(int machine, int other) {
        if (up[machine]) {
            lnds[machine].dropConnections(nis[machine], IbWorld.nid(other, 0));
        }
        return machine + " drops connections with " + other;
    }

    private String turn(int machine) {
        if (faults.isFrozen(machine)) {
            return machine + " can not stop now";
        }
        if (up[machine]) {
            stop(machine);
        } else {
            start(machine);
        }
        return machine + " is up: " + up[machine];
    }

    private void heal() {
        faults.heal();
        for (int machine = 0; machine < MACHINES; machine++) {
            stacks[machine].calm();
            if (!up[machine]) {
                start(machine);
            }
        }
        story.add(world.time().now() / 1000 + " µs: all is whole");
    }

    private void send(int from, int to) {
        if (!up[from]) {
            return;
        }
        boolean get = random.nextInt(4) == 0;
        int length = get
                ? 4000 + random.nextInt(100_000)
                : one(0, 1, 64, 64, 500, 3976, 3977, 5000, 100_000, random.nextInt(1 << 16));
        ChaosMessage about = ledger.begin(from, to, get, length);
        TestMessage message;
        if (get) {
            message = TestMessage.get(nis[from].nid(), nis[to].nid(), length);
            message.header().setGet(3, 4, 7, about.bits(), 0, length);
        } else if (random.nextBoolean()) {
            message = TestMessage.put(nis[from].nid(), nis[to].nid(), length, about.bits());
        } else {
            message = TestMessage.put(nis[from].nid(), nis[to].nid(), about.bits(), pieces(about.bits(), length));
        }
        if (random.nextInt(5) == 0) {
            message.setTimeoutNanos(IbWorld.SECOND * (1 + random.nextInt(10)));
        }
        ledger.sending(message, about);
        int status = lnds[from].send(nis[from], message);
        if (status != 0) {
            ledger.refused(message, status);
        }
    }

    /** A payload in pieces of any kind of memory, some of which end within a page. */
    private ByteBuffer[] pieces(long bits, int length) {
        List<ByteBuffer> all = new ArrayList<>();
        for (int at = 0; at < length; at += all.getLast().capacity()) {
            int wanted = random.nextInt(3) == 0 ? 1 + random.nextInt(9000) : 4096 * (1 + random.nextInt(4));
            int bytes = Math.min(length - at, wanted);
            ByteBuffer piece = random.nextBoolean() ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
            for (int i = 0; i < bytes; i++) {
                piece.put(i, TestMessage.pattern(bits, at + i));
            }
            all.add(piece);
        }
        return all.toArray(ByteBuffer[]::new);
    }

    /** All machines send to all, more than the other side has buffers for. */
    private void sendAll(boolean checked) {
        if (planted == Planted.DEAF) {
            world.fabric().setLink(world.port(0, 0).fabricPort(), false);
        }
        long began = world.time().now();
        long[][] before = counts();
        for (int from = 0; from < MACHINES; from++) {
            for (int to = 0; to < MACHINES; to++) {
                for (int i = 0; i < BURST; i++) {
                    send(from, to);
                }
            }
        }
        if (planted == Planted.UNCOUNTED) {
            TestMessage unknown = TestMessage.put(nis[0].nid(), nis[1].nid(), 0, -1);
            ledger.sending(unknown, new ChaosMessage(-1, 0, 1, false, 0, 0));
            lnds[0].send(nis[0], unknown);
        }
        world.time().runUntil(ledger::isOver, ROUND);
        if (checked) {
            // At once: a route that only the peer wanted is forgotten when its connection has been idle for long.
            checkCounts(before, counts(), began);
            ledger.checkDelivered(began);
        }
        world.time().run(QUIET);
    }

    /** Returns how many messages have gone from each machine to each one. */
    private long[][] counts() {
        long[][] counts = new long[MACHINES][MACHINES];
        for (int from = 0; from < MACHINES; from++) {
            for (int to = 0; to < MACHINES; to++) {
                counts[from][to] =
                        routes(from, to).stream().mapToLong(RouteView::messages).sum();
            }
        }
        return counts;
    }

    private List<RouteView> routes(int from, int to) {
        Nid peer = nis[to].nid();
        return lnds[from].routes().stream()
                .filter(set -> set.peer().equals(peer))
                .flatMap(set -> set.routes().stream())
                .toList();
    }

    private void checkCounts(long[][] before, long[][] after, long since) {
        for (int from = 0; from < MACHINES; from++) {
            for (int to = 0; to < MACHINES; to++) {
                long counted = after[from][to] - before[from][to];
                long sent = ledger.count(from, to, since);
                if (counted != sent) {
                    ledger.violation("routes " + from + "→" + to + " count " + counted + " messages of " + sent);
                }
            }
        }
    }

    /** Nothing has been under way for long: a connection is up at both ends or at none. */
    private void checkBothEnds() {
        if (planted == Planted.ONE_SIDED) {
            world.node(1).freeze();
            lnds[0].dropConnections(nis[0], nis[1].nid());
            world.time().run(IbWorld.SECOND / 1000);
        }
        for (int a = 0; a < MACHINES; a++) {
            for (int b = a + 1; b < MACHINES; b++) {
                int there = connections(a, b);
                int back = connections(b, a);
                if (there != back) {
                    ledger.violation(a + " has " + there + " connections with " + b + ", which has " + back);
                }
            }
        }
    }

    private int connections(int from, int to) {
        return routes(from, to).stream().mapToInt(RouteView::connections).sum();
    }

    private void end() {
        for (int machine = 0; machine < MACHINES; machine++) {
            stop(machine);
        }
        ledger.checkAllAreOver();
    }
}
