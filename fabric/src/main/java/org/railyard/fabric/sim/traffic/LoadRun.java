package org.railyard.fabric.sim.traffic;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.LinkRate;
import org.railyard.fabric.sim.SimListener;
import org.railyard.fabric.sim.SimSettings;

/**
 * Hosts that send packets at random moments, whatever becomes of them (an open loop): lets everything happen that is to
 * happen to the fabric, warms up until the mean latency of two windows differs by less than 2 %, measures, stops
 * sending and waits until the fabric is empty; or counts from the beginning to a given time. A function of its
 * arguments. For one thread.
 */
public final class LoadRun implements SimListener {
    private static final double AGREES = 0.02;

    /** Windows after which it counts even if they never agree, as beyond saturation. */
    private static final int MAX_WARM_UP = 12;

    /** Longest time to become empty, as a multiple of what was before. */
    private static final int DRAIN_FACTOR = 20;

    private static final int LEVEL_ONE = 8;
    private static final String NO_PATH = "no path";
    private static final String QUEUE_FULL = "queues of senders full";

    private final Fabric fabric;
    private final Destinations destinations;
    private final LoadSettings settings;
    private final Upkeep upkeep;
    private final FabricSim sim;

    /** Whether packets that wait for ever are dropped some time, so that a deadlock is not the end. */
    private final boolean passes;

    private final RandomGenerator[] dice;
    private final double[] meanGap;
    private final long[] sent;
    private final NextSenders senders;
    private final Measures measures;
    private final long[] dropped = new long[DropReason.values().length];
    private long noPath;
    private long queueFull;
    private long lastLoss = -1;
    private long offered;
    private LinkUse.Start start;
    private boolean steady;

    /**
     * Prepares a run.
     *
     * @param routing tables, and the SLs that packets get; with {@link TrafficPattern#MULTICAST} there is a group in
     *     them
     * @param upkeep what happens to the fabric; made for this run
     * @param random source of chance, split once for each host in their order: streams of hosts are independent of each
     *     other, and one host more does not change the others
     */
    public LoadRun(
            Fabric fabric,
            Routing routing,
            Destinations destinations,
            SimSettings simSettings,
            LoadSettings settings,
            Upkeep upkeep,
            SplittableGenerator random) {
        this.fabric = fabric;
        this.destinations = destinations;
        this.settings = settings;
        this.upkeep = upkeep;
        this.passes = simSettings.lifetimeNanos() > 0;
        this.sim = new FabricSim(fabric, routing, simSettings, this);
        int hosts = destinations.hosts();
        this.dice = new RandomGenerator[hosts];
        this.meanGap = new double[hosts];
        this.sent = new long[hosts];
        this.measures = new Measures(hosts);
        this.senders = new NextSenders(hosts);
        this.start = new LinkUse.Start(fabric, sim.figures(), 0);
        for (int host = 0; host < hosts; host++) {
            dice[host] = random.split();
            meanGap[host] = settings.packetBytes() / (rate(host) * settings.load());
            if (destinations.sends(host)) {
                senders.add(gap(host), host);
            }
        }
    }

    private double rate(int host) {
        int port = destinations.port(host);
        return LinkRate.bytesPerNano(fabric.width(port), fabric.speed(port));
    }

    private long gap(int host) {
        return 1 + (long) (-Math.log(1 - dice[host].nextDouble()) * meanGap[host]);
    }

    /** Runs it. */
    public LoadPoint run() {
        if (settings.untilNanos() > 0) {
            sendUntil(settings.untilNanos());
            return point();
        }
        while (upkeep.nextNanos() != FabricSim.NEVER && goesOn()) {
            window();
        }
        warmUp();
        if (goesOn()) {
            begin();
        }
        for (int i = 0; i < settings.windows(); i++) {
            window();
        }
        LoadPoint measured = point();
        long limit = sim.now() * DRAIN_FACTOR;
        while (sim.inside() > 0 && goesOn() && sim.nextEventNanos() <= limit) {
            sim.runUntil(sim.nextEventNanos());
        }
        return measured.after(point());
    }

    private void warmUp() {
        double before = -1;
        double mean = 0;
        for (int i = 0; i < MAX_WARM_UP && !steady && goesOn(); i++) {
            before = mean;
            begin();
            window();
            mean = measures.mean();
            steady = before > 0 && Math.abs(mean - before) < AGREES * before;
        }
    }

    private void begin() {
        measures.clear();
        offered = 0;
        start = new LinkUse.Start(fabric, sim.figures(), sim.now());
    }

    /** Tells whether there is no deadlock, or one that lifetimes end. */
    private boolean goesOn() {
        return passes || sim.deadlock().isEmpty();
    }

    private void window() {
        sendUntil(sim.now() + settings.windowNanos());
    }

    private void sendUntil(long end) {
        while (goesOn()) {
            long next = Math.min(upkeep.nextNanos(), senders.isEmpty() ? FabricSim.NEVER : senders.nextTime());
            if (next >= end) {
                sim.runUntil(end);
                return;
            }
            sim.runUntil(next);
            if (upkeep.nextNanos() <= next) {
                upkeep.act(sim);
            } else {
                int host = senders.nextHost();
                send(host);
                senders.postpone(next + gap(host));
            }
        }
    }

    private void send(int host) {
        int to = destinations.next(host, sent[host]++, dice[host]);
        if (to == Destinations.NOBODY) {
            return;
        }
        int level = settings.qosShare() > 0 && dice[host].nextDouble() < settings.qosShare() ? 1 : 0;
        offered++;
        Routing routing = upkeep.current();
        int port = destinations.port(host);
        int lid = to == Destinations.GROUP ? group(routing) : fabric.lid(destinations.port(to));
        int sl = to == Destinations.GROUP
                ? groupSl(routing, lid)
                : routing.sls().sl(fabric.lid(port), lid, level * LEVEL_ONE);
        if (sl == PathSls.NO_SL) {
            noPath++;
        } else if (!sim.inject(port, lid, sl, settings.packetBytes(), (long) host * Measures.LEVELS + level)) {
            queueFull++;
        }
    }

    private static int group(Routing routing) {
        return routing.multicast().mlids().stream().findFirst().orElse(0);
    }

    private static int groupSl(Routing routing, int mlid) {
        MulticastTables.@Nullable Tree tree = routing.multicast().tree(mlid);
        return tree == null ? PathSls.NO_SL : tree.sl();
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        int sender = (int) (token / Measures.LEVELS);
        measures.add(sender, (int) (token % Measures.LEVELS), sim.now() - birthNanos, sim.now() - sentNanos, hops);
    }

    @Override
    public void dropped(long token, DropReason reason) {
        dropped[reason.ordinal()]++;
        lastLoss = sim.now();
    }

    private SortedMap<String, Long> lost() {
        SortedMap<String, Long> lost = new TreeMap<>();
        for (DropReason reason : DropReason.values()) {
            lost.put(reason.text(), dropped[reason.ordinal()]);
        }
        lost.put(NO_PATH, noPath);
        lost.put(QUEUE_FULL, queueFull);
        lost.values().removeIf(count -> count == 0);
        return lost;
    }

    private Outcome outcome() {
        boolean passed = passes && sim.outcome() == Outcome.DEADLOCK;
        return !passed ? sim.outcome() : sim.inside() == 0 ? Outcome.DRAINED : Outcome.RUNNING;
    }

    private LoadPoint point() {
        double span = Math.max(1, sim.now() - start.time());
        double capacity = 0;
        for (int host = 0; host < destinations.hosts(); host++) {
            capacity += rate(host) * span;
        }
        double share = capacity == 0 ? 0 : settings.packetBytes() / capacity;
        return new LoadPoint(
                settings.load(),
                offered * share,
                measures.count() * share,
                measures.delays(),
                measures.inNetwork(),
                measures.levels(share),
                measures.hops(),
                measures.fairness(),
                measures.count(),
                lost(),
                lastLoss,
                start.time(),
                sim.now() - start.time(),
                steady,
                sim.figures().longestWaitNanos(),
                start.until(fabric, sim.figures(), sim.now()),
                upkeep.log(),
                upkeep.wasRefused(),
                sim.now(),
                sim.events(),
                outcome(),
                sim.deadlock(),
                sim.starvation());
    }
}
