package org.railyard.fabric.torus;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;

/** Finds switches and cables that do not fit the configured torus, and says what the likely reason is. */
final class Strangers {
    private Strangers() {}

    /**
     * Returns why the fabric is not the torus of the configuration. Switches without any way to the torus are another subnet, and no
     * problem of this one.
     */
    static List<Refusal.Reason> problems(Fabric fabric, SwitchGraph graph, Placement placement, int maxNamed) {
        List<Refusal.Reason> problems = new ArrayList<>();
        List<Integer> strangers = connectedStrangers(graph, placement);
        if (!strangers.isEmpty()) {
            String names = strangers.stream()
                    .limit(maxNamed)
                    .map(at -> fabric.description(at) + " (" + SeedRules.hex(fabric.guid(at)) + ")")
                    .collect(Collectors.joining(", "));
            problems.add(new Refusal.Reason(
                    "not-placed",
                    strangers.size() + " of " + fabric.switchCount() + " switches have no place in the "
                            + placement.grid().shape() + " torus: " + names
                            + (strangers.size() > maxNamed ? " …" : "")
                            + "; look at the radices, the seed links and the cables of these switches"));
        }
        emptyLayers(graph, placement, problems);
        return problems;
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

    /** A coordinate without any switch, and cables that skip it: the radix is too big. */
    private static void emptyLayers(SwitchGraph graph, Placement placement, List<Refusal.Reason> problems) {
        TorusShape shape = placement.grid().shape();
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            BitSet seen = new BitSet();
            int dimension = d;
            placement.grid().present().forEach(position -> seen.set(shape.coordinate(position, dimension)));
            int empty = shape.radix(d) - seen.cardinality();
            if (empty > 0 && placement.strayCables() > 0 && skipped(graph, placement, d)) {
                char axis = "xyz".charAt(d);
                problems.add(new Refusal.Reason(
                        "radix",
                        "no switch has " + axis + "=" + seen.nextClearBit(0) + ", and cables lead over it: the radix of "
                                + axis + " is " + shape.radix(d) + " in the configuration, but " + seen.cardinality()
                                + " in the fabric"));
            }
        }
    }

    /** Tells whether a cable joins two positions that differ in one dimension only, and there by more than a step. */
    private static boolean skipped(SwitchGraph graph, Placement placement, int dimension) {
        TorusShape shape = placement.grid().shape();
        for (int at = 0; at < graph.switches(); at++) {
            int from = placement.positionOf(at);
            for (int next : graph.neighbours(at)) {
                int to = placement.positionOf(next);
                if (from != Placement.NONE
                        && to != Placement.NONE
                        && shape.groupBetween(from, to) == TorusGroup.NONE
                        && shape.with(from, dimension, 0) == shape.with(to, dimension, 0)) {
                    return true;
                }
            }
        }
        return false;
    }
}
