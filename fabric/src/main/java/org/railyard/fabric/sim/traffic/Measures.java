package org.railyard.fabric.sim.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What arrived while it counted: times, levels, hops, senders (spec 33 §7). Makes no garbage while it counts. */
final class Measures {
    static final int LEVELS = 2;
    private static final int MAX_HOPS = 1 << 16;

    private final Latencies all = new Latencies();
    private final Latencies network = new Latencies();
    private final Latencies[] levels = {new Latencies(), new Latencies()};
    private final long[] ofSender;
    private long[] hops = new long[1 << 5];

    Measures(int hosts) {
        ofSender = new long[hosts];
    }

    void clear() {
        all.clear();
        network.clear();
        for (Latencies level : levels) {
            level.clear();
        }
        Arrays.fill(ofSender, 0);
        Arrays.fill(hops, 0);
    }

    void add(int sender, int level, long nanos, long networkNanos, int switches) {
        all.add(nanos);
        network.add(networkNanos);
        levels[level].add(nanos);
        ofSender[sender]++;
        if (switches >= hops.length) {
            hops = Arrays.copyOf(hops, Math.min(MAX_HOPS, 2 * switches));
        }
        hops[switches]++;
    }

    double mean() {
        return all.mean();
    }

    long count() {
        return all.count();
    }

    Delays delays() {
        return Delays.of(all);
    }

    Delays inNetwork() {
        return Delays.of(network);
    }

    /** Returns the levels that packets arrived of; {@code share} is what one packet is of all that links carry. */
    List<LoadPoint.Level> levels(double share) {
        List<LoadPoint.Level> some = new ArrayList<>();
        for (int level = 0; level < LEVELS; level++) {
            Latencies its = levels[level];
            if (its.count() > 0) {
                some.add(new LoadPoint.Level(level, its.count() * share, its.count(), Delays.of(its)));
            }
        }
        return some;
    }

    SortedMap<Integer, Long> hops() {
        SortedMap<Integer, Long> some = new TreeMap<>();
        for (int switches = 0; switches < hops.length; switches++) {
            if (hops[switches] > 0) {
                some.put(switches, hops[switches]);
            }
        }
        return some;
    }

    /**
     * Returns Jain's index over senders: 1 if all got the same through, 1/n if only one got anything; 0 if none did.
     */
    double fairness() {
        double sum = 0;
        double squares = 0;
        for (long count : ofSender) {
            sum += count;
            squares += (double) count * count;
        }
        return squares == 0 ? 0 : sum * sum / (ofSender.length * squares);
    }
}
