package org.railyard.fabric.sim.traffic;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.LinkRate;
import org.railyard.fabric.sim.SimListener;
import org.railyard.fabric.sim.SimSettings;

/**
 * Hosts that send packets at random moments, whatever becomes of them (an open loop): warms up until the mean latency of two windows differs by less than 2 %,
 * measures, stops sending and waits until the fabric is empty. A function of its arguments. For one thread.
 */
public final class LoadRun implements SimListener {
    private static final double AGREES = 0.02;

    /** Windows after which it counts even if they never agree, as beyond saturation. */
    private static final int MAX_WARM_UP = 12;

    /** Longest time to become empty, as a multiple of what was before. */
    private static final int DRAIN_FACTOR = 20;

    private static final int LEVEL_ONE = 8;

    private final Fabric fabric;
    private final PathSls sls;
    private final Destinations destinations;
    private final LoadSettings settings;
    private final FabricSim sim;
    private final RandomGenerator[] dice;
    private final double[] meanGap;
    private final NextSenders senders;
    private final Latencies latencies = new Latencies();
    private final long[] arrivedOf;
    private long offered;
    private long lost;

    /**
     * Prepares a run.
     *
     * @param routing tables, and the SLs that packets get
     * @param dice chance of each host, so that one host more does not change the others
     */
    public LoadRun(
            Fabric fabric,
            Routing routing,
            Destinations destinations,
            SimSettings simSettings,
            LoadSettings settings,
            IntFunction<RandomGenerator> dice) {
        this.fabric = fabric;
        this.sls = routing.sls();
        this.destinations = destinations;
        this.settings = settings;
        this.sim = new FabricSim(fabric, routing, simSettings, this);
        int hosts = destinations.hosts();
        this.dice = new RandomGenerator[hosts];
        this.meanGap = new double[hosts];
        this.arrivedOf = new long[hosts];
        this.senders = new NextSenders(hosts);
        for (int host = 0; host < hosts; host++) {
            this.dice[host] = dice.apply(host);
            meanGap[host] = settings.packetBytes() / (rate(host) * settings.load());
            if (destinations.next(host, this.dice[host]) != Destinations.NOBODY) {
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
        double before = -1;
        double mean = 0;
        for (int i = 0; i < MAX_WARM_UP && !(before > 0 && Math.abs(mean - before) < AGREES * before); i++) {
            before = mean;
            latencies.clear();
            window();
            mean = latencies.mean();
        }
        latencies.clear();
        Arrays.fill(arrivedOf, 0);
        offered = 0;
        for (int i = 0; i < settings.windows(); i++) {
            window();
        }
        LoadPoint measured = point();
        FabricSim.Outcome outcome = sim.drain(sim.now() * DRAIN_FACTOR);
        return new LoadPoint(
                measured.offered(),
                measured.accepted(),
                measured.meanNanos(),
                measured.medianNanos(),
                measured.mostNanos(),
                measured.maxNanos(),
                measured.fairness(),
                measured.packets(),
                lost,
                sim.now(),
                sim.events(),
                outcome,
                sim.deadlock());
    }

    private LoadPoint point() {
        double span = (double) settings.windowNanos() * settings.windows();
        double capacity = 0;
        double sum = 0;
        double squares = 0;
        for (int host = 0; host < arrivedOf.length; host++) {
            capacity += rate(host) * span;
            sum += arrivedOf[host];
            squares += (double) arrivedOf[host] * arrivedOf[host];
        }
        return new LoadPoint(
                offered * (double) settings.packetBytes() / capacity,
                latencies.count() * (double) settings.packetBytes() / capacity,
                latencies.mean(),
                latencies.share(0.5),
                latencies.share(0.99),
                latencies.max(),
                squares == 0 ? 0 : sum * sum / (arrivedOf.length * squares),
                latencies.count(),
                lost,
                sim.now(),
                sim.events(),
                sim.outcome(),
                sim.deadlock());
    }

    private void window() {
        long end = sim.now() + settings.windowNanos();
        while (!senders.isEmpty() && senders.nextTime() < end && sim.deadlock().isEmpty()) {
            long time = senders.nextTime();
            int host = senders.nextHost();
            sim.runUntil(time);
            send(host);
            senders.postpone(time + gap(host));
        }
        if (sim.deadlock().isEmpty()) {
            sim.runUntil(end);
        }
    }

    private void send(int host) {
        int to = destinations.next(host, dice[host]);
        int hint = settings.qosShare() > 0 && dice[host].nextDouble() < settings.qosShare() ? LEVEL_ONE : 0;
        int destination = fabric.lid(destinations.port(to));
        int sl = sls.sl(fabric.lid(destinations.port(host)), destination, hint);
        offered++;
        if (sl == PathSls.NO_SL
                || !sim.inject(destinations.port(host), destination, sl, settings.packetBytes(), host)) {
            lost++;
        }
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        latencies.add(sim.now() - birthNanos);
        arrivedOf[(int) token]++;
    }

    @Override
    public void dropped(long token, DropReason reason) {
        lost++;
    }
}
