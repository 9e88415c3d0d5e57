package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.JsonText;
import org.railyard.cli.text.ProgressBar;
import org.railyard.cli.text.ReportOption;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.draw.FabricDrawing;
import org.railyard.fabric.draw.NetworkDrawing;
import org.railyard.fabric.draw.TorusDrawing;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.job.JobSettings;
import org.railyard.fabric.sim.traffic.CountedLoad;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.LoadPoint;
import org.railyard.fabric.sim.traffic.LoadRun;
import org.railyard.fabric.sim.traffic.LoadSettings;
import org.railyard.fabric.sim.traffic.TrafficPattern;
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
            "Hosts send packets of the MTU at random times (open loop). A load is measured once two"
                    + " windows have the same mean latency; then no more is sent until the fabric is empty."
        },
        footer = {
            "",
            "TIME is a number with ns, us, ms or s. With --fail and --repair the engine makes new tables of what is"
                + " left, some time later, and switches get them one after the other; what was on its way by then may"
                + " be lost, and is counted by reason. A load counts after that. Tables of a directory stay as they"
                + " are unless --conf, or --engine of another kind, says how to make new ones.",
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:no packet waits for ever",
            "1:a deadlock, whose packets are printed, or a job that is not done",
            "2:a file cannot be read, or the command line is wrong",
            "3:the engine refuses the fabric, or what is left of it after a failure",
            "4:starvation: packets wait for hosts that take none, or for VLs that are never served",
            FabricCommand.FAILED_TEXT
        })
final class SimCommand implements Callable<Integer> {
    private static final int STOPPED = 1;
    private static final int UNUSABLE = 2;
    private static final int REFUSED = 3;
    private static final int STARVED = 4;
    private static final int MAX_MTU = 1 << 16;
    private static final long MICRO = 1000;
    private static final String DRAIN = "drain";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FabricSource source = new FabricSource();

    @Mixin
    private SimIncidents incidents = new SimIncidents();

    @Mixin
    private SimJobs jobs = new SimJobs();

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            defaultValue = "uniform",
            description = "uniform, tornado, bit-complement, neighbour, hot-spot, transpose, shuffle, bit-reverse,"
                    + " all-to-all, halo or multicast. Default: ${DEFAULT-VALUE}.")
    private String pattern = "";

    @Option(
            names = "--load",
            paramLabel = "A:B:STEP|A,B",
            defaultValue = "0.1:1:0.1",
            converter = LoadList.Converter.class,
            description =
                    "What each host sends, as shares of its link: one, several with commas between, or from A to B."
                            + " Default: ${DEFAULT-VALUE}.")
    private LoadList loads = new LoadList(List.of());

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of times and destinations. Default: ${DEFAULT-VALUE}.")
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
            description = "Size of an input buffer for one VL. Default: two packets and 2 KiB.")
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
            names = "--multicast",
            paramLabel = "SHARE",
            defaultValue = "0.1",
            description = "multicast: what goes to the group, the first of --group, of all hosts if there is none."
                    + " Default: ${DEFAULT-VALUE}.")
    private double multicast;

    @Option(
            names = "--vl-arbitration",
            paramLabel = "FILE",
            description = "OpenSM's configuration file with qos_swe_vlarb_high and the like. Default: each VL in turn.")
    private @Nullable Path arbitration;

    @Option(
            names = "--lifetime",
            paramLabel = "TIME",
            description = "How long a packet may be at the head of a queue before it is dropped. Default: for ever, so"
                    + " that a deadlock stays.")
    private @Nullable String lifetime;

    @Option(
            names = "--window",
            paramLabel = "US",
            defaultValue = "200",
            description = "Length of a measurement window, us. Default: ${DEFAULT-VALUE}.")
    private long window;

    @Option(
            names = "--until",
            paramLabel = "drain|TIME",
            defaultValue = DRAIN,
            description =
                    "When a run ends: when the fabric is empty, or at a time, and all counts from the beginning on"
                            + " then. Default: ${DEFAULT-VALUE}.")
    private String until = DRAIN;

    @Option(
            names = "--static",
            description =
                    "No packets: count along the tables what the pattern asks of each link, and print the load that"
                            + " fills the busiest one.")
    private boolean counted;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all figures there, too.")
    private @Nullable Path json;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the figures there as a table, too.")
    private @Nullable Path csv;

    @Option(
            names = "--links",
            paramLabel = "FILE",
            description = "Write a table of all links there: how much each is used, by VL, and waits for credits.")
    private @Nullable Path links;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Draw there how much each cable of a torus is used, with the last load.")
    private @Nullable Path svg;

    @Mixin
    private ReportOption report = new ReportOption();

    @Override
    public Integer call() throws IOException {
        TrafficPattern named = named();
        try {
            requireSense();
            report.prepare(spec);
            return source.use(
                    spec.commandLine().getErr(),
                    named == TrafficPattern.MULTICAST,
                    (loaded, routing) -> simulate(named, loaded, routing));
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        } catch (FabricException e) {
            spec.commandLine().getErr().println("railyard: " + e.getMessage());
            return UNUSABLE;
        }
    }

    /** What is wrong with options by themselves is told before anything long begins. */
    private void requireSense() {
        if (mtu < 1 || mtu > MAX_MTU) {
            throw new ParameterException(
                    spec.commandLine(), "--mtu %d: expected 1 to %d bytes".formatted(mtu, MAX_MTU));
        }
        if (counted && report.isWanted()) {
            throw new ParameterException(
                    spec.commandLine(), "--report and --static do not go together: without packets there are no plots");
        }
        if (counted && (json != null || csv != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--json and --csv are of packets that are sent; --static sends none");
        }
        boolean ofLoads = csv != null || links != null || svg != null || report.isWanted();
        if (jobs.isWanted() && (counted || qos > 0 || ofLoads)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--job, --matrix and --messages exclude --static, --qos, --csv, --links, --svg and --report");
        }
        jobs.requireSense(mtu);
        requireTimes();
        requireShare("--qos", qos);
        requireShare("--hot", hot);
        requireShare("--multicast", multicast);
        int bytes = bufferBytes();
        if (bytes < SimSettings.CREDIT_BYTES || bytes > SimSettings.MAX_BUFFER) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--buffers %d: expected %d to %d bytes"
                            .formatted(bytes, SimSettings.CREDIT_BYTES, SimSettings.MAX_BUFFER));
        }
        if (mtu + LoadSettings.HEADERS > bytes) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--buffers %d: too small for a packet of --mtu %d with its %d bytes of headers"
                            .formatted(bytes, mtu, LoadSettings.HEADERS));
        }
        requireFiles();
    }

    /** Times are above 0, where 0 would end a run at its beginning, or stand for ever. */
    private void requireTimes() {
        endNanos(0);
        lifetimeNanos();
        incidents.requireTimes();
        if (window < 1 || window > LoadSettings.MAX_NANOS / MICRO) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--window %d: expected 1 to %d us".formatted(window, LoadSettings.MAX_NANOS / MICRO));
        }
    }

    /** Returns the time at which a run ends. */
    private long endNanos(long drained) {
        return until.equals(DRAIN) ? drained : SimTime.some("--until", until);
    }

    private long lifetimeNanos() {
        return lifetime == null ? 0 : SimTime.some("--lifetime", lifetime);
    }

    private void requireFiles() {
        Map<String, @Nullable Path> files = new LinkedHashMap<>();
        files.put("--json", json);
        files.put("--csv", csv);
        files.put("--links", links);
        files.put("--svg", svg);
        ResultFile.Names names = new ResultFile.Names();
        files.forEach((option, file) -> {
            if (file == null || !report.isIn(file)) {
                ResultFile.require(spec, option, file);
            }
            names.add(spec, option, file);
        });
    }

    private int bufferBytes() {
        return buffers == null ? SimSettings.bufferFor(mtu + LoadSettings.HEADERS) : buffers;
    }

    private void requireShare(String option, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new ParameterException(
                    spec.commandLine(), "%s %s: expected a share of 0 to 1".formatted(option, share));
        }
    }

    private int simulate(TrafficPattern named, FabricSource.Loaded loaded, Routing routing) throws IOException {
        Fabric fabric = loaded.fabric();
        if (qos > 0 && loaded.oneLevelOnly().isPresent()) {
            throw new FabricInputException(
                    "--qos %s: %s".formatted(qos, loaded.oneLevelOnly().get()));
        }
        if (named == TrafficPattern.MULTICAST && routing.multicast().mlids().isEmpty()) {
            throw new FabricInputException("--pattern multicast: the tables have no multicast group");
        }
        Destinations destinations = destinations(named, fabric, loaded.layout());
        if (destinations.hosts() < 2) {
            throw new FabricInputException(
                    "%d hosts in this fabric, expected two or more that send packets to each other"
                            .formatted(destinations.hosts()));
        }
        if (counted) {
            return count(named, fabric, routing, destinations, loaded.layout());
        }
        SimIncidents.Plan plan = incidents.of(fabric, routing, loaded.layout(), source.engine(fabric, routing));
        SimSettings settings = settings(destinations, loaded.layout().isPresent());
        if (jobs.isWanted()) {
            SimJobs.Place place = new SimJobs.Place(
                    fabric,
                    routing,
                    loaded.layout(),
                    destinations,
                    settings,
                    mtu,
                    seed,
                    endNanos(JobSettings.MAX_NANOS));
            return jobs.run(place, plan, incidents.gone(fabric), Optional.ofNullable(json));
        }
        ProgressBar progress =
                new ProgressBar(spec.commandLine().getErr(), loads.all().size(), "loads");
        List<LoadPoint> points = new ArrayList<>();
        for (double load : loads.all()) {
            LoadRun run = new LoadRun(
                    fabric,
                    routing,
                    destinations,
                    settings,
                    loadSettings(load),
                    plan.upkeep(),
                    new SplittableRandom(seed));
            points.add(run.run());
            progress.done(points.size());
            if (points.getLast().outcome() == Outcome.DEADLOCK) {
                break;
            }
        }
        progress.clear();
        return tell(named, fabric, loaded.layout(), points);
    }

    private Destinations destinations(TrafficPattern named, Fabric fabric, Optional<TorusLayout> layout) {
        try {
            return new Destinations(fabric, layout, named, named == TrafficPattern.MULTICAST ? multicast : hot);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--pattern " + pattern + ": " + e.getMessage(), e);
        }
    }

    private SimSettings settings(Destinations destinations, boolean torus) {
        try {
            SimSettings settings = SimSettings.forHosts(destinations.hosts())
                    .withBuffers(bufferBytes())
                    .withLifetime(lifetimeNanos());
            Path file = arbitration;
            return file == null ? settings : ArbitrationFile.read(file, torus, settings);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private LoadSettings loadSettings(double load) {
        try {
            return new LoadSettings(
                    load, mtu + LoadSettings.HEADERS, qos, window * MICRO, LoadSettings.WINDOWS, endNanos(0));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private TrafficPattern named() {
        List<String> names = new ArrayList<>();
        for (TrafficPattern each : TrafficPattern.values()) {
            if (each.text().equals(pattern)) {
                return each;
            }
            names.add(each.text());
        }
        throw new ParameterException(
                spec.commandLine(), "--pattern " + pattern + ": expected one of " + String.join(", ", names));
    }

    private int count(
            TrafficPattern named,
            Fabric fabric,
            Routing routing,
            Destinations destinations,
            Optional<TorusLayout> layout)
            throws IOException {
        CountedLoad load = CountedLoad.of(fabric, routing, destinations);
        PrintWriter out = spec.commandLine().getOut();
        int busiest = load.busiest();
        out.printf(
                Locale.ROOT,
                "%s: %d hosts, %.2f switches on the way in the mean, %.1f %% of the packets have a way%n",
                named.text(),
                destinations.hosts(),
                load.meanHops(),
                100 * load.arriving());
        if (busiest != Fabric.NONE) {
            out.printf(
                    Locale.ROOT,
                    "the busiest link, from %s, is asked for %.3f of what it carries: no load above %.3f can be"
                            + " carried%n",
                    fabric.portName(busiest),
                    load.of(busiest),
                    load.bound());
        }
        out.flush();
        draw(layout, fabric, port -> load.of(port) * load.bound(), named.text() + ", counted, at " + load.bound());
        return 0;
    }

    private void draw(Optional<TorusLayout> layout, Fabric fabric, IntToDoubleFunction use, String title)
            throws IOException {
        Path file = svg;
        if (file != null) {
            FabricDrawing drawing =
                    layout.isPresent() ? new TorusDrawing(fabric, layout.get()) : new NetworkDrawing(fabric);
            ResultFile.write(file, drawing.use(use, pattern).svg(title));
        }
    }

    private int tell(TrafficPattern named, Fabric fabric, Optional<TorusLayout> layout, List<LoadPoint> points)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        SimReport told = new SimReport(fabric, points);
        told.lines().forEach(out::println);
        out.flush();
        if (json != null) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("pattern", named.text());
            document.put("seed", seed);
            document.put("mtu", mtu);
            document.put("points", told.documents());
            ResultFile.write(json, JsonText.of(document) + "\n");
        }
        if (csv != null) {
            ResultFile.write(csv, told.csv());
        }
        if (links != null) {
            ResultFile.write(links, told.linksCsv());
        }
        LoadPoint last = points.getLast();
        draw(layout, fabric, last.use()::of, "%s, load %s".formatted(named.text(), last.load()));
        report.write(
                spec, "fabric-sim", "Traffic '" + named.text() + "' on a fabric", new SimPage(fabric, points)::fill);
        return status(points);
    }

    private static int status(List<LoadPoint> points) {
        if (points.stream().anyMatch(point -> point.outcome() == Outcome.DEADLOCK)) {
            return STOPPED;
        }
        if (points.stream().anyMatch(point -> point.outcome() == Outcome.STARVED)) {
            return STARVED;
        }
        return points.stream().anyMatch(LoadPoint::refused) ? REFUSED : 0;
    }
}
