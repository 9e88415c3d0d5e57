package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.TextColumns;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.LoadPoint;
import org.railyard.fabric.sim.traffic.LoadRun;
import org.railyard.fabric.sim.traffic.LoadSettings;
import org.railyard.fabric.sim.traffic.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric sim}: packets on a fabric, for one load after another. */
@Command(
        name = "sim",
        description = {
            "Let packets run on a fabric: throughput and latency by load, and deadlocks.",
            "Hosts send packets of the MTU at random moments, whatever becomes of them. A load counts when two looks"
                    + " at the mean latency agree; then no more is sent until the fabric is empty."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all packets arrived",
            "1:a deadlock; its packets are printed",
            "2:a file cannot be read, or the command line is wrong",
            "3:the engine refuses the fabric"
        })
final class SimCommand implements Callable<Integer> {
    private static final int STOPPED = 1;
    private static final int HEADERS = 30;
    private static final int MAX_PACKETS = 1 << 20;
    private static final int PACKETS_OF_HOST = 1 << 10;
    private static final int ROUND_TRIP = 2048;
    private static final int WINDOWS = 3;
    private static final long MICRO = 1000;

    /** Seeds of hosts lie far from each other. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FabricSource source = new FabricSource();

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            defaultValue = "uniform",
            description = "uniform, tornado, bit-complement, neighbour or hot-spot. Default: ${DEFAULT-VALUE}.")
    private String pattern = "";

    @Option(
            names = "--load",
            paramLabel = "A:B:STEP",
            defaultValue = "0.1:1:0.1",
            converter = Loads.Converter.class,
            description =
                    "What each host sends, as shares of its link: one, or from A to B. Default: ${DEFAULT-VALUE}.")
    private Loads loads = new Loads(List.of());

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Payload of packets; 30 bytes of headers come on top. Default: ${DEFAULT-VALUE}.")
    private int mtu;

    @Option(
            names = "--buffers",
            paramLabel = "BYTES",
            description = "Room of an input buffer for one VL. Default: two packets and 2 KiB.")
    private @Nullable Integer buffers;

    @Option(
            names = "--qos",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of packets that ask for QoS level 1. Default: ${DEFAULT-VALUE}.")
    private double qos;

    @Option(
            names = "--hot",
            paramLabel = "SHARE",
            defaultValue = "0.2",
            description = "hot-spot: what goes to the first host. Default: ${DEFAULT-VALUE}.")
    private double hot;

    @Option(
            names = "--window",
            paramLabel = "US",
            defaultValue = "200",
            description = "How long one look is, µs. Default: ${DEFAULT-VALUE}.")
    private long window;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the points there, too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        return source.use(spec.commandLine().getErr(), this::simulate);
    }

    private int simulate(FabricSource.Loaded loaded, Routing routing) throws IOException {
        Fabric fabric = loaded.fabric();
        Destinations destinations = new Destinations(fabric, loaded.layout(), named(), hot);
        ProgressBar progress =
                new ProgressBar(spec.commandLine().getErr(), loads.all().size());
        List<LoadPoint> points = new ArrayList<>();
        for (double load : loads.all()) {
            points.add(run(fabric, routing, destinations, load).run());
            progress.done(points.size());
            if (points.getLast().outcome() == Outcome.DEADLOCK) {
                break;
            }
        }
        progress.end();
        return tell(fabric, points);
    }

    private LoadRun run(Fabric fabric, Routing routing, Destinations destinations, double load) {
        try {
            SimSettings settings = SimSettings.DEFAULT
                    .withPackets(Math.clamp((long) destinations.hosts() * PACKETS_OF_HOST, 1, MAX_PACKETS))
                    .withBuffers(buffers == null ? 2 * (mtu + HEADERS) + ROUND_TRIP : buffers);
            if (mtu + HEADERS > settings.bufferBytes()) {
                throw new IllegalArgumentException(
                        "buffers of %d bytes have no room for a packet of %d with its headers"
                                .formatted(settings.bufferBytes(), mtu));
            }
            return new LoadRun(
                    fabric,
                    routing,
                    destinations,
                    settings,
                    new LoadSettings(load, mtu + HEADERS, qos, window * MICRO, WINDOWS),
                    host -> new SplittableRandom(seed + GOLDEN * (host + 1)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Pattern named() {
        List<String> names = new ArrayList<>();
        for (Pattern each : Pattern.values()) {
            if (each.text().equals(pattern)) {
                return each;
            }
            names.add(each.text());
        }
        throw new ParameterException(
                spec.commandLine(), "--pattern " + pattern + ": expected one of " + String.join(", ", names));
    }

    private int tell(Fabric fabric, List<LoadPoint> points) throws IOException {
        TextColumns table = new TextColumns(
                "load",
                "offered",
                "accepted",
                "mean us",
                "p50 us",
                "p99 us",
                "max us",
                "fairness",
                "packets",
                "lost",
                "events",
                "end");
        for (int i = 0; i < points.size(); i++) {
            LoadPoint point = points.get(i);
            table.add(
                    share(loads.all().get(i)),
                    share(point.offered()),
                    share(point.accepted()),
                    micros(point.meanNanos()),
                    micros((double) point.medianNanos()),
                    micros((double) point.mostNanos()),
                    micros((double) point.maxNanos()),
                    share(point.fairness()),
                    point.packets(),
                    point.lost(),
                    point.events(),
                    point.outcome().name().toLowerCase(Locale.ROOT));
        }
        PrintWriter out = spec.commandLine().getOut();
        table.lines().forEach(out::println);
        points.getLast().deadlock().ifPresent(deadlock -> out.println(deadlock.text(fabric)));
        out.flush();
        Path file = json;
        if (file != null) {
            Files.writeString(file, json(points), StandardCharsets.UTF_8);
        }
        return points.getLast().outcome() == Outcome.DEADLOCK ? STOPPED : 0;
    }

    private static String share(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / MICRO);
    }

    private String json(List<LoadPoint> points) {
        List<String> all = new ArrayList<>();
        for (LoadPoint point : points) {
            all.add(String.format(
                    Locale.ROOT,
                    """
                      {"offered": %.6f, "accepted": %.6f, "mean_ns": %.1f, "p50_ns": %d, "p99_ns": %d, "max_ns": %d, \
                    "fairness": %.6f, "packets": %d, "lost": %d, "nanos": %d, "events": %d, "outcome": "%s"}\
                    """,
                    point.offered(),
                    point.accepted(),
                    point.meanNanos(),
                    point.medianNanos(),
                    point.mostNanos(),
                    point.maxNanos(),
                    point.fairness(),
                    point.packets(),
                    point.lost(),
                    point.nanos(),
                    point.events(),
                    point.outcome().name().toLowerCase(Locale.ROOT)));
        }
        return "{\"pattern\": \"%s\", \"seed\": %d, \"mtu\": %d, \"points\": [\n%s\n]}\n"
                .formatted(named().text(), seed, mtu, String.join(",\n", all));
    }
}
