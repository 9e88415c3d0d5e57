package org.railyard.campaign.work;

import static org.railyard.campaign.work.RowColumn.column;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.RowColumn.Role;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.LoadPoint;
import org.railyard.fabric.sim.traffic.LoadRun;
import org.railyard.fabric.sim.traffic.LoadSettings;
import org.railyard.fabric.sim.traffic.TrafficPattern;
import org.railyard.fabric.sim.traffic.Upkeep;

/** Loads of packets on a fabric with many seeds: all seeds of the first load, then of the next. */
public final class LoadWork implements Work {
    /** Most loads of a campaign. */
    public static final int MAX_LOADS = 1000;

    /** Largest payload of a packet, bytes. */
    public static final int MAX_MTU = 1 << 16;

    private static final long MICRO = 1000;
    private static final double HOT = 0.2;
    private static final double MULTICAST = 0.1;
    private static final String GOOD = CellText.lower(FabricSim.Outcome.DRAINED);

    private static final List<RowColumn> COLUMNS = List.of(
            RowColumn.ofCase(),
            column("verdict", Role.VERDICT, "how the run ended: drained, running, deadlock or starved"),
            column("load", Role.GROUP, "what each host sends, as a share of its link"),
            column("seed", Role.OTHER, "the seed"),
            column("end", Role.REASON, "the same as the verdict where it is not drained"),
            column("offered", Role.OTHER, "share of their links that hosts sent"),
            column("accepted", Role.FIGURE, "share of their links that arrived"),
            column("mean_us", Role.FIGURE, "mean latency, us"),
            column("p50_us", Role.FIGURE, "latency that half of the packets do not exceed, us"),
            column("p99_us", Role.FIGURE, "latency that 99 % do not exceed, us"),
            column("max_us", Role.OTHER, "longest latency, us"),
            column("hops", Role.OTHER, "mean number of switches that packets passed"),
            column("busiest", Role.FIGURE, "how much the busiest link is used, as a share"),
            column("fairness", Role.OTHER, "Jain's index over what hosts got through"),
            column("packets", Role.OTHER, "packets that arrived while it counted"),
            column("lost", Role.FIGURE, "packets that were dropped or not sent"));

    private final CampaignPlan plan;
    private final RoutedFabric routed;
    private final Tables tables;
    private final Destinations destinations;
    private final List<String> loads;
    private final String pattern;
    private final SeedSpan seeds;
    private final int mtu;
    private final long windowMicros;

    LoadWork(CampaignPlan plan) {
        this.plan = plan;
        routed = RoutedFabric.of(plan);
        seeds = SeedSpan.of(plan);
        mtu = (int) plan.number("mtu", 1, MAX_MTU);
        windowMicros = plan.number("window-us", 1, LoadSettings.MAX_NANOS / MICRO);
        loads = List.of(plan.parameter("loads").split(",", -1));
        if (loads.size() > MAX_LOADS) {
            throw new ErrnoException(Errno.EINVAL, loads.size() + " loads, expected at most " + MAX_LOADS);
        }
        loads.forEach(this::settings);
        pattern = plan.parameter("pattern");
        TrafficPattern traffic = traffic();
        boolean isMulticast = traffic == TrafficPattern.MULTICAST;
        tables = routed.tables(isMulticast ? routed.groups() : List.of());
        Optional<TorusLayout> layout = RoutedFabric.layout(tables);
        try {
            destinations = new Destinations(tables.fabric(), layout, traffic, isMulticast ? MULTICAST : HOT);
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, "pattern " + pattern + ": " + e.getMessage(), e);
        }
        if (destinations.hosts() < 2) {
            throw new ErrnoException(Errno.EINVAL, destinations.hosts() + " hosts in the fabric, expected two or more");
        }
    }

    private TrafficPattern traffic() {
        return Stream.of(TrafficPattern.values())
                .filter(each -> each.text().equals(pattern))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "pattern '%s', expected one of %s"
                                .formatted(
                                        pattern,
                                        Stream.of(TrafficPattern.values())
                                                .map(TrafficPattern::text)
                                                .collect(Collectors.joining(", ")))));
    }

    private LoadSettings settings(String load) {
        try {
            return new LoadSettings(
                    Double.parseDouble(load),
                    mtu + LoadSettings.HEADERS,
                    0,
                    windowMicros * MICRO,
                    LoadSettings.WINDOWS);
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, "load '" + load + "', expected more than 0, at most 1", e);
        }
    }

    @Override
    public String title() {
        return "load: %s at %d %s, %s; %d hosts, %s"
                .formatted(
                        pattern,
                        loads.size(),
                        loads.size() == 1 ? "load" : "loads",
                        seeds.text(),
                        destinations.hosts(),
                        routed.engine().text());
    }

    @Override
    public long cases() {
        return loads.size() * seeds.count();
    }

    @Override
    public List<RowColumn> columns() {
        return COLUMNS;
    }

    @Override
    public String goodVerdict() {
        return GOOD;
    }

    private String load(long number) {
        return loads.get(seeds.turn(number));
    }

    @Override
    public Worker worker() {
        return this::run;
    }

    private List<String> run(long number) {
        int packet = mtu + LoadSettings.HEADERS;
        LoadPoint point = new LoadRun(
                        tables.fabric(),
                        tables.routing(),
                        destinations,
                        SimSettings.forHosts(destinations.hosts()).withBuffers(SimSettings.bufferFor(packet)),
                        settings(load(number)),
                        Upkeep.none(tables.fabric(), tables.routing()),
                        new SplittableRandom(seeds.seed(number)))
                .run();
        String verdict = CellText.lower(point.outcome());
        return List.of(
                Long.toString(number),
                verdict,
                load(number),
                Long.toString(seeds.seed(number)),
                verdict.equals(GOOD) ? "" : verdict,
                CellText.number(point.offered()),
                CellText.number(point.accepted()),
                CellText.micros(point.delays().mean()),
                CellText.micros((double) point.delays().median()),
                CellText.micros((double) point.delays().most()),
                CellText.micros((double) point.delays().max()),
                CellText.number(point.meanHops()),
                CellText.number(point.use().most(tables.fabric())),
                CellText.number(point.fairness()),
                Long.toString(point.packets()),
                Long.toString(point.lostInAll()));
    }

    @Override
    public String replay(long number, Path inputs) {
        return "railyard fabric sim %s --pattern %s --load %s --seed %d --mtu %d --window %d"
                .formatted(
                        RoutedFabric.options(plan, inputs),
                        pattern,
                        load(number),
                        seeds.seed(number),
                        mtu,
                        windowMicros);
    }
}
