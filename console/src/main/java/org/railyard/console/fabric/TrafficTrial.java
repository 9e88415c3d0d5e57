package org.railyard.console.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.railyard.base.text.Doc;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.LinkUse;
import org.railyard.fabric.sim.traffic.LoadPoint;
import org.railyard.fabric.sim.traffic.LoadRun;
import org.railyard.fabric.sim.traffic.LoadSettings;
import org.railyard.fabric.sim.traffic.TrafficPattern;
import org.railyard.fabric.sim.traffic.Upkeep;

/**
 * A short simulation of packets on a torus: what each link has to carry. It ends at a time by which hosts have sent a
 * bounded number of packets, so that an answer does not take long, however large the fabric is.
 */
final class TrafficTrial {
    /** Hosts and microseconds, multiplied: at full load some 5 packets of 4 KiB for 4 of them on links of 4x QDR. */
    private static final long WORK = 100_000;

    private static final long LEAST_MICROS = 10;
    private static final long MOST_MICROS = 1000;
    private static final long MICRO = 1000;
    private static final int MTU = 4096;
    private static final int SEED = 1;
    private static final double HOT = 0.2;
    private static final double DIGITS = 1000;

    private final TorusMap map;

    TrafficTrial(TorusMap map) {
        this.map = map;
    }

    /** Returns the names of patterns that may be tried. */
    static List<String> patterns() {
        return Arrays.stream(TrafficPattern.values())
                .filter(each -> each != TrafficPattern.MULTICAST)
                .map(TrafficPattern::text)
                .toList();
    }

    /**
     * Simulates.
     *
     * @param tables of the fabric, or of what is left of it
     * @param patternName what hosts send to whom
     * @param load share of the rate of its link that each host sends
     * @throws IllegalArgumentException if there is no such pattern, or the fabric is nothing for it
     */
    Map<String, Object> run(Tables tables, String patternName, double load) {
        TrafficPattern pattern = Arrays.stream(TrafficPattern.values())
                .filter(each -> each != TrafficPattern.MULTICAST && each.text().equals(patternName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "pattern '" + patternName + "'; expected one of " + String.join(", ", patterns())));
        Fabric fabric = tables.fabric();
        Optional<TorusLayout> layout = Optional.of(map.layout());
        Destinations destinations = new Destinations(fabric, layout, pattern, HOT);
        if (destinations.hosts() < 2) {
            throw new IllegalArgumentException("fewer than two hosts are left: there is nobody to send to");
        }
        int packet = MTU + LoadSettings.HEADERS;
        long micros = Math.clamp(WORK / destinations.hosts(), LEAST_MICROS, MOST_MICROS);
        LoadPoint point = new LoadRun(
                        fabric,
                        tables.routing(),
                        destinations,
                        SimSettings.forHosts(destinations.hosts()).withBuffers(SimSettings.bufferFor(packet)),
                        new LoadSettings(load, packet, 0, micros * MICRO, 1, micros * MICRO),
                        Upkeep.none(fabric, tables.routing()),
                        new SplittableRandom(SEED))
                .run();
        return document(point, micros);
    }

    private Map<String, Object> document(LoadPoint point, long micros) {
        Fabric fabric = map.fabric();
        Doc doc = new Doc()
                .put("links", links(point.use()))
                .put("micros", micros)
                .put("accepted", rounded(point.accepted()))
                .put("offered", rounded(point.offered()))
                .put("busiest", rounded(point.use().most(fabric)))
                .put("packets", point.packets())
                .put("mean us", micros(point.delays().mean()))
                .put("99 % us", micros((double) point.delays().most()))
                .put("outcome", point.outcome().name().toLowerCase(Locale.ROOT))
                .put("deadlock", point.deadlock().map(each -> each.text(fabric)).orElse(""));
        List<Object> loop = new ArrayList<>();
        point.deadlock()
                .map(Deadlock::cycle)
                .orElse(List.of())
                .forEach(hold -> loop.add(List.of(
                        fabric.nodeOf(hold.channel().port()),
                        fabric.nodeOf(fabric.cable(hold.channel().port())))));
        return doc.put("loop", loop).map();
    }

    /** Returns for each link the share of what its busiest cable carries, and of the time that it had no credits. */
    private List<Object> links(LinkUse use) {
        List<Object> all = new ArrayList<>();
        for (TorusMap.Link link : map.links()) {
            double most = 0;
            double waited = 0;
            for (int port : link.ports()) {
                int peer = map.fabric().cable(port);
                most = Math.max(most, Math.max(use.of(port), use.of(peer)));
                waited = Math.max(waited, Math.max(use.waited(port), use.waited(peer)));
            }
            all.add(List.of(rounded(most), rounded(waited)));
        }
        return all;
    }

    private static double rounded(double value) {
        return Math.round(value * DIGITS) / DIGITS;
    }

    private static double micros(double nanos) {
        return rounded(nanos / MICRO);
    }
}
