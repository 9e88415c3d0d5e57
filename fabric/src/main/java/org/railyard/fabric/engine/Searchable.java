package org.railyard.fabric.engine;

import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal.Reason;

/** What a fabric must be for engines that search ways among all dependencies of its cables. */
final class Searchable {
    /** Most pairs of cables that follow each other, over all switches and layers: a byte each. */
    private static final long MAX_PAIRS = 1L << 30;

    private Searchable() {}

    /**
     * Returns what is against it: no switches, pieces without a way to each other, or too many dependencies.
     *
     * @param layers how often dependencies are kept
     */
    static Optional<Reason> problem(Fabric fabric, CableGraph graph, int layers) {
        if (graph.size() == 0) {
            return Optional.of(new Reason("switches", "the fabric has no switch"));
        }
        int start = graph.firstLive();
        int[] hops = graph.hopsTo(start);
        for (int sw = 0; sw < graph.size(); sw++) {
            if (graph.isLive(sw) && hops[sw] < 0) {
                return Optional.of(new Reason(
                        "unreachable",
                        "%s has no way to %s: the fabric is in pieces"
                                .formatted(fabric.description(sw), fabric.description(start))));
            }
        }
        long pairs = Channels.pairs(graph);
        return pairs > MAX_PAIRS / layers
                ? Optional.of(new Reason(
                        "size",
                        "%d pairs of cables follow each other, more than %d: too many dependencies to look through"
                                .formatted(pairs, MAX_PAIRS / layers)))
                : Optional.empty();
    }
}
