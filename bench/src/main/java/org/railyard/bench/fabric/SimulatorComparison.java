package org.railyard.bench.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.LoadPoint;
import org.railyard.fabric.sim.traffic.LoadRun;
import org.railyard.fabric.sim.traffic.LoadSettings;
import org.railyard.fabric.sim.traffic.TrafficPattern;
import org.railyard.fabric.sim.traffic.Upkeep;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** The packet simulator beside BookSim 2: latency and speed by load, on a torus with one host per switch. */
final class SimulatorComparison {
    /** Loads that are measured. */
    static final List<Double> LOADS = List.of(0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45);

    /** Odd: no host is as far one way round as the other, where BookSim 2 throws a coin and torus-2QoS does not. */
    private static final int RADIX = 7;

    private static final int PACKET = 1024 + LoadSettings.HEADERS;
    private static final int BUFFER = SimSettings.bufferFor(PACKET);
    private static final long WINDOW_NANOS = 1_000_000;
    private static final double MICRO = 1000;

    private final PrintWriter out;
    private final Path program;
    private final long limitSeconds;

    SimulatorComparison(PrintWriter out, Path program, long limitSeconds) {
        this.out = out;
        this.program = program;
        this.limitSeconds = limitSeconds;
    }

    /** Measures, a row for each load; returns whether the other program told figures of any. */
    boolean run(Path directory, List<Double> loads) throws IOException, InterruptedException {
        out.printf(
                "torus %dx%d, 1 host per switch, uniform traffic, packets of %d bytes, buffers of %d; latency: mean,"
                        + " us%n",
                RADIX, RADIX, PACKET, BUFFER);
        out.println(
                "speed: simulated us in a second, by the clock; Railyard's first row has the start of its JVM's code");
        out.printf(
                "%-6s %10s %10s %8s %12s %12s %7s%n",
                "load", "Railyard", "BookSim", "differs", "Railyard", "BookSim", "ratio");
        SampleTorus plan = SampleTorus.torus(RADIX, RADIX, 1, 1);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        Tables tables = ProvenRouting.by(new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT))
                .tables(fabric, List.of())
                .orThrow();
        boolean compared = false;
        for (double load : loads) {
            long start = System.nanoTime();
            LoadPoint ours = ours(tables, load);
            double speed = ours.nanos() / MICRO / ((System.nanoTime() - start) / 1e9);
            Optional<BookSimRun.Seen> theirs =
                    BookSimRun.of(program, directory, RADIX, PACKET, BUFFER, load, limitSeconds);
            compared |= theirs.isPresent();
            print(load, ours, speed, theirs);
        }
        return compared;
    }

    private static LoadPoint ours(Tables tables, double load) {
        Destinations destinations = new Destinations(tables.fabric(), Optional.empty(), TrafficPattern.UNIFORM, 0);
        return new LoadRun(
                        tables.fabric(),
                        tables.routing(),
                        destinations,
                        SimSettings.forHosts(destinations.hosts()).withBuffers(BUFFER),
                        new LoadSettings(load, PACKET, 0, WINDOW_NANOS, LoadSettings.WINDOWS),
                        Upkeep.none(tables.fabric(), tables.routing()),
                        new SplittableRandom(1))
                .run();
    }

    private void print(double load, LoadPoint ours, double speed, Optional<BookSimRun.Seen> theirs) {
        double mean = ours.delays().mean();
        out.printf(
                Locale.ROOT,
                "%-6.2f %10.2f %10s %8s %12.0f %12s %7s%n",
                load,
                mean / MICRO,
                theirs.map(seen -> text("%.2f", seen.meanNanos() / MICRO)).orElse("-"),
                theirs.map(seen -> text("%+.1f %%", 100 * (mean / seen.meanNanos() - 1)))
                        .orElse("-"),
                speed,
                theirs.map(seen -> text("%.0f", speed(seen))).orElse("-"),
                theirs.map(seen -> text("%.1f", speed / speed(seen))).orElse("-"));
        out.flush();
    }

    private static double speed(BookSimRun.Seen seen) {
        return seen.nanos() / MICRO / seen.seconds();
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
