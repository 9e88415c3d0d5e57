package org.railyard.fabric.torus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.torus.TorusOptions.Acceptance;
import org.railyard.fabric.torus.acceptance.GridJudge;
import org.railyard.fabric.torus.acceptance.GridVerdict;
import org.railyard.fabric.torus.acceptance.Repairs;
import org.railyard.fabric.torus.acceptance.UpstreamVerdict;
import org.railyard.fabric.torus.conf.SeedRules;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.multicast.TorusMulticast;
import org.railyard.fabric.torus.multicast.UpstreamTree;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.placement.Placer;
import org.railyard.fabric.torus.placement.SwitchGraph;
import org.railyard.fabric.torus.placement.UnplacedSwitches;
import org.railyard.fabric.torus.qos.DataVls;
import org.railyard.fabric.torus.qos.QosMode;
import org.railyard.fabric.torus.tables.EndPortOrder;
import org.railyard.fabric.torus.tables.TorusSls;

/**
 * The routing engine torus-2QoS (spec 30): seeds, discovery, acceptance, tables. It accepts a torus if and only if all
 * switches reach each other without a credit loop; {@link TorusOptions} can add OpenSM's own tests, or decide by them
 * alone.
 *
 * <p>Immutable; holds nothing between runs; any thread.
 */
public final class TorusEngine implements RoutingEngine {
    /** The name in OpenSM's {@code routing_engine}. */
    public static final String NAME = TorusConf.ENGINE;

    /** The name where OpenSM alone decides what is routed, and how: tables and refusals are not those of the other. */
    public static final String NAME_LIKE_OPENSM = "opensm-torus";

    /** OpenSM's error for a switch that it finds at two positions; what is missing then means nothing. */
    private static final String FOUND_TWICE = "4E1C";

    /** Most switches that a message names. */
    private static final int MAX_NAMED = 8;

    private final TorusConf conf;
    private final TorusOptions options;

    /** Creates the engine for the torus that {@code conf} describes. */
    public TorusEngine(TorusConf conf, TorusOptions options) {
        this.conf = conf;
        this.options = options;
    }

    /** What {@link #plan} answers. */
    public sealed interface Outcome {}

    /**
     * The torus can be routed.
     *
     * @param plan how
     */
    public record Accepted(TorusPlan plan) implements Outcome {}

    /**
     * The torus is not routed.
     *
     * @param refusal why
     */
    public record Refused(Refusal refusal) implements Outcome {}

    @Override
    public String name() {
        return options.acceptance() == Acceptance.LIKE_OPENSM ? NAME_LIKE_OPENSM : NAME;
    }

    @Override
    public RoutingResult route(Fabric fabric, EngineOptions engineOptions) {
        return switch (plan(fabric, engineOptions)) {
            case Accepted(TorusPlan plan) -> plan.routing(engineOptions.groups());
            case Refused(Refusal refusal) -> refusal;
        };
    }

    /** Understands the fabric and decides whether it can be routed, without computing tables. */
    public Outcome plan(Fabric fabric, EngineOptions engineOptions) {
        return plan(fabric, engineOptions, GridVerdict::of);
    }

    /**
     * The same, where the caller finds the verdict.
     *
     * @param judge is asked once the switches have places; answers what {@link GridVerdict#of} would
     */
    public Outcome plan(Fabric fabric, EngineOptions engineOptions, GridJudge judge) {
        DataVls vls = DataVls.of(fabric, engineOptions.maxOpVls());
        QosMode mode = options.mode()
                .orElseGet(() ->
                        engineOptions.qosLevels() == 2 ? QosMode.TWO_LEVELS : QosMode.forOneLevel(vls.switches()));
        List<Refusal.Reason> problems = new ArrayList<>(vls.problems(mode));
        problems.addAll(SeedRules.problems(conf.shape(), conf.seeds()));
        problems.addAll(TorusMulticast.problems(engineOptions.groups(), mode));
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        SwitchGraph graph = SwitchGraph.of(fabric);
        Placer placer = new Placer(fabric, graph, conf);
        Placement found = placer.place(options.strict(), problems);
        if (found == null) {
            return refused(problems);
        }
        boolean likeOpenSm = options.acceptance() == Acceptance.LIKE_OPENSM;
        // Strict mode refuses what OpenSM leaves out. What would have to be repaired shows only with all places.
        Placement placement = options.acceptance() == Acceptance.STRICT ? placer.fuller(found) : found;
        problems.addAll(EndPortOrder.problems(fabric, placement, conf));
        if (!likeOpenSm) {
            UnplacedSwitches.leftOut(fabric, placement, found, MAX_NAMED).ifPresent(problems::add);
            problems.addAll(UnplacedSwitches.problems(fabric, graph, conf, placement, MAX_NAMED, !options.strict()));
            if (!options.strict()
                    && problems.stream().map(Refusal.Reason::code).anyMatch(TorusEngine::isOfConfiguration)) {
                // Nothing is broken: what would have to be repaired is of no interest. Strict mode says what OpenSM
                // says, too.
                return refused(problems);
            }
        }
        DimensionOrder order = options.order(placement.grid());
        SlToVlRule slToVl = new SlToVlRule(vls.switches(), vls.ends());
        if (options.strict()) {
            upstream(fabric, placer, found).forEach(text -> problems.add(reason(text)));
        }
        GridVerdict verdict = likeOpenSm
                ? new GridVerdict(List.of(), UpstreamTree.of(placement.grid()))
                : judge.of(order, slToVl, mode);
        if (!problems.isEmpty() || !verdict.routes()) {
            problems.addAll(verdict.refusals());
            return refused(withAdvice(problems, placement, () -> Repairs.advice(order, slToVl, mode, judge)));
        }
        if (verdict.tree().isEmpty() && !engineOptions.groups().isEmpty()) {
            problems.add(new Refusal.Reason(
                    "mcast-tree",
                    "no multicast tree reaches every switch without closing a credit loop beside unicast"));
            Repairs.advice(order, slToVl, mode, judge).ifPresent(problems::add);
            return refused(problems);
        }
        List<String> notes = new ArrayList<>(TorusNotes.of(fabric, conf, placement, vls, mode, verdict));
        UnplacedSwitches.warning(fabric, graph, placement, MAX_NAMED).ifPresent(notes::add);
        int maxOpVls = engineOptions.maxOpVls();
        return accepted(new TorusPlan(
                fabric, conf, placement, order, slToVl, mode, maxOpVls, verdict.tree(), likeOpenSm, notes));
    }

    /** Adds what would help, unless that was said. */
    private static List<Refusal.Reason> withAdvice(
            List<Refusal.Reason> problems, Placement placement, Supplier<Optional<Refusal.Reason>> repairs) {
        List<String> codes = problems.stream().map(Refusal.Reason::code).toList();
        if (!codes.contains(FOUND_TWICE) && !codes.contains(UnplacedSwitches.ONE_DIMENSION)) {
            UnplacedSwitches.advice(placement).or(repairs).ifPresent(problems::add);
        }
        return problems;
    }

    private static boolean isOfConfiguration(String code) {
        return code.equals(UnplacedSwitches.RADIX) || code.equals(UnplacedSwitches.ONE_DIMENSION);
    }

    /** Returns what OpenSM says against the fabric, the number of its error first. */
    private List<String> upstream(Fabric fabric, Placer placer, Placement placement) {
        TorusShape shape = conf.shape();
        return placer.likeOpenSm(placement.seed())
                .twice()
                .map(twice -> List.of(FOUND_TWICE
                        + ": it finds switch %s at %s and again at %s: is a radix wrong?"
                                .formatted(
                                        fabric.description(twice.node()),
                                        shape.name(twice.first()),
                                        shape.name(twice.second()))))
                .orElseGet(() -> UpstreamVerdict.of(placement.grid()).refusals());
    }

    private Outcome accepted(TorusPlan plan) {
        List<Refusal.Reason> problems = new ArrayList<>();
        if (!plan.likeOpenSm()) {
            NarrowPorts.problem(plan).ifPresent(problems::add);
        }
        return problems.isEmpty() ? new Accepted(plan) : refused(problems);
    }

    /**
     * Returns the coordinates of the switches of a fabric, whether or not the torus can be routed.
     *
     * @return empty if no seed has all its switches, or the seeds of the configuration are wrong
     */
    public Optional<Placement> place(Fabric fabric) {
        if (!SeedRules.problems(conf.shape(), conf.seeds()).isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(
                new Placer(fabric, SwitchGraph.of(fabric), conf).place(options.strict(), new ArrayList<>()));
    }

    /**
     * Returns the SLs that torus-2QoS gives to paths, two QoS levels: they follow from the places alone, whatever has
     * failed.
     */
    public static PathSls pathSls(Fabric fabric, Placement placement) {
        return new TorusSls(fabric, placement, QosMode.TWO_LEVELS);
    }

    /** Splits the code from what {@link UpstreamVerdict} says. */
    private static Refusal.Reason reason(String text) {
        int colon = text.indexOf(':');
        return new Refusal.Reason(text.substring(0, colon), "OpenSM would refuse: " + text.substring(colon + 2));
    }

    private Outcome refused(List<Refusal.Reason> problems) {
        return new Refused(new Refusal(name(), problems));
    }
}
