package org.railyard.fabric.torus.placement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.conf.SeedRules;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/** Finds switches and cables that do not fit the configured torus, and says what the likely reason is. */
public final class UnplacedSwitches {
    /** Code of the problem that a radix of the configuration is too big. */
    public static final String RADIX = "radix";

    /** Code of the problem that the torus has one dimension only. */
    public static final String ONE_DIMENSION = "one-dimension";

    private static final String NOT_PLACED = "not-placed";

    private static final String ANOTHER_ENGINE =
            "torus-2QoS, here and in OpenSM, finds places by faces of four switches, and in one dimension only those of"
                    + " the seed links: take another engine, such as layered or nue";

    private UnplacedSwitches() {}

    /** Tells whether switches have no place because the torus has one dimension only. */
    private static boolean isOneDimension(Placement placement) {
        return placement.grid().shape().isOneLine() && !placement.strangers().isEmpty();
    }

    /** Returns what helps, instead of a repair, where the torus has one dimension only. */
    public static Optional<Refusal.Reason> advice(Placement placement) {
        return isOneDimension(placement)
                ? Optional.of(new Refusal.Reason(ONE_DIMENSION, ANOTHER_ENGINE))
                : Optional.empty();
    }

    /**
     * Returns why the fabric is not the torus of the configuration. Switches without any way to the torus are another
     * subnet, and no problem of this one.
     *
     * @param extras whether switches that can belong to no place of the torus are no problem: it is routed without them
     */
    public static List<Refusal.Reason> problems(
            Fabric fabric, SwitchGraph graph, TorusConf conf, Placement placement, int maxNamed, boolean extras) {
        List<Refusal.Reason> problems = new ArrayList<>();
        List<Integer> strangers = connectedStrangers(graph, placement);
        if (!strangers.isEmpty() && !(extras && areExtra(graph, placement, strangers))) {
            boolean line = isOneDimension(placement);
            problems.add(new Refusal.Reason(
                    line ? ONE_DIMENSION : NOT_PLACED,
                    strangers.size() + " of " + fabric.switchCount() + " switches have no place in the "
                            + placement.grid().shape() + " torus: " + names(fabric, strangers, maxNamed)
                            + (line
                                    ? "; " + ANOTHER_ENGINE
                                    : "; look at the radices, the seed links and the cables of these switches")
                            + uncabledSeedLinks(fabric, graph, conf, placement.seed())));
        }
        skippedPlaces(graph, placement, problems);
        return problems;
    }

    /**
     * Returns that OpenSM leaves out switches that have a place, if it does.
     *
     * @param placement the places that there are
     * @param theirs those of them that OpenSM finds
     */
    public static Optional<Refusal.Reason> leftOut(Fabric fabric, Placement placement, Placement theirs, int maxNamed) {
        List<Integer> left = new ArrayList<>(theirs.strangers());
        left.removeAll(placement.strangers());
        return left.isEmpty()
                ? Optional.empty()
                : Optional.of(new Refusal.Reason(
                        NOT_PLACED,
                        "OpenSM finds no place for " + left.size() + " of " + fabric.switchCount()
                                + " switches, and has no routes to their hosts: " + names(fabric, left, maxNamed)));
    }

    private static String names(Fabric fabric, List<Integer> switches, int maxNamed) {
        return switches.stream()
                .limit(maxNamed)
                .map(at -> fabric.description(at) + " (" + SeedRules.hex(fabric.guid(at)) + ")")
                .collect(Collectors.joining(", ", "", switches.size() > maxNamed ? " …" : ""));
    }

    /** Returns a warning for people about switches that are routed around, if there are any. */
    public static Optional<String> warning(Fabric fabric, SwitchGraph graph, Placement placement, int maxNamed) {
        List<Integer> strangers = connectedStrangers(graph, placement);
        return strangers.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "warning: %d %s part of the torus and routed around; no way leads to %s or to hosts on %s: %s"
                                .formatted(
                                        strangers.size(),
                                        strangers.size() == 1 ? "switch is not" : "switches are not",
                                        strangers.size() == 1 ? "it" : "them",
                                        strangers.size() == 1 ? "it" : "them",
                                        strangers.stream()
                                                        .limit(maxNamed)
                                                        .map(fabric::description)
                                                        .collect(Collectors.joining(", "))
                                                + (strangers.size() > maxNamed ? " …" : "")));
    }

    /**
     * Tells whether no stranger can belong to the torus: none is joined, over strangers or by itself, to a switch
     * beside a place without switch, and strangers do not close the gap of every ring of a dimension, as where its
     * radix is too small in the configuration.
     */
    private static boolean areExtra(SwitchGraph graph, Placement placement, List<Integer> strangers) {
        TorusGrid grid = placement.grid();
        TorusShape shape = grid.shape();
        BitSet touched = new BitSet();
        for (int stranger : strangers) {
            for (int next : graph.neighbours(stranger)) {
                if (placement.positionOf(next) != Placement.NONE) {
                    touched.set(placement.positionOf(next));
                }
            }
        }
        for (int at = touched.nextSetBit(0); at >= 0; at = touched.nextSetBit(at + 1)) {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                int beside = shape.step(at, group);
                if (beside >= 0 && !grid.isPresent(beside)) {
                    return false;
                }
            }
        }
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            BitSet rings = new BitSet();
            for (int at = touched.nextSetBit(0); at >= 0; at = touched.nextSetBit(at + 1)) {
                int next = shape.step(at, TorusGroup.plus(d));
                if (next >= 0 && touched.get(next) && !grid.isCabled(at, TorusGroup.plus(d))) {
                    rings.set(shape.with(at, d, 0));
                }
            }
            if (rings.cardinality() == shape.positions() / shape.radix(d)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A cable of the seed may be broken; but when the places come out wrong, it may also have been written down
     * wrongly.
     */
    private static String uncabledSeedLinks(Fabric fabric, SwitchGraph graph, TorusConf conf, int seed) {
        StringBuilder text = new StringBuilder();
        conf.seeds().get(seed).links().forEach((group, link) -> {
            if (!graph.joined(fabric.nodeOfGuid(link.from()), fabric.nodeOfGuid(link.to()))) {
                text.append("; no cable joins the switches of ")
                        .append(SeedRules.keyword(group))
                        .append(' ')
                        .append(SeedRules.hex(link.from()))
                        .append(' ')
                        .append(SeedRules.hex(link.to()))
                        .append(" of seed ")
                        .append(seed);
            }
        });
        return text.toString();
    }

    private static List<Integer> connectedStrangers(SwitchGraph graph, Placement placement) {
        BitSet connected = new BitSet();
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int at = 0; at < graph.switches(); at++) {
            if (placement.positionOf(at) != Placement.NONE) {
                connected.set(at);
                queue.add(at);
            }
        }
        while (!queue.isEmpty()) {
            for (int next : graph.neighbours(queue.remove())) {
                if (!connected.get(next)) {
                    connected.set(next);
                    queue.add(next);
                }
            }
        }
        return placement.strangers().stream().filter(connected::get).toList();
    }

    /** In each ring of a dimension a cable leads over a place without switch: the radix is too big. */
    private static void skippedPlaces(SwitchGraph graph, Placement placement, List<Refusal.Reason> problems) {
        TorusShape shape = placement.grid().shape();
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            int rings = shape.positions() / shape.radix(d);
            if (ringsWithSkip(graph, placement, d) == rings) {
                char axis = "xyz".charAt(d);
                problems.add(new Refusal.Reason(
                        RADIX,
                        "in every " + axis + " ring a cable leads over a place without switch: the radix of " + axis
                                + " is " + shape.radix(d) + " in the configuration, but less in the fabric"));
            }
        }
    }

    private static int ringsWithSkip(SwitchGraph graph, Placement placement, int dimension) {
        TorusShape shape = placement.grid().shape();
        BitSet rings = new BitSet();
        for (int at = 0; at < graph.switches(); at++) {
            int from = placement.positionOf(at);
            for (int next : graph.neighbours(at)) {
                int to = placement.positionOf(next);
                if (from != Placement.NONE && to != Placement.NONE && skips(placement.grid(), dimension, from, to)) {
                    rings.set(shape.with(from, dimension, 0));
                }
            }
        }
        return rings.cardinality();
    }

    /** Tells whether two positions are on one ring, two steps apart, with nothing between. */
    private static boolean skips(TorusGrid grid, int dimension, int from, int to) {
        TorusShape shape = grid.shape();
        int between = shape.step(from, TorusGroup.plus(dimension));
        return between >= 0
                && !grid.isPresent(between)
                && shape.step(between, TorusGroup.plus(dimension)) == to
                && shape.groupBetween(from, to) == TorusGroup.NONE;
    }
}
