package org.railyard.fabric.proof;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Which channels wait for which while tables change, for all LIDs together, and the LIDs whose packets close cycles.
 * What the new tables alone make of it is found once and kept.
 */
final class TransitionGraph {
    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final Optional<Dependencies> ofAfter;
    private final CheckOptions options;
    private final TransitionEntries entries;
    private final TransitionWalk walk;
    private final boolean all;
    private final List<SlToVl> vls;

    /** Dependencies of all groups. */
    private long @Nullable [] ofGroups;

    /** Dependencies by the new tables, and of all groups. */
    private long @Nullable [] kept;

    /** Whether those kept are of the new tables, each of them. */
    private boolean exact;

    /**
     * Prepares it.
     *
     * @param ofAfter dependencies of {@code after} by these options, if they are known
     * @param entries of these tables
     * @param walk of these entries
     * @param vls SL to VL tables, one after the other, that packets may meet
     * @param all whether VLs or SLs change, or somebody sends who is in no proof: then flows whose entries stay count
     *     as well
     */
    TransitionGraph(
            Fabric fabric,
            Routing before,
            Routing after,
            Optional<Dependencies> ofAfter,
            CheckOptions options,
            TransitionEntries entries,
            TransitionWalk walk,
            List<SlToVl> vls,
            boolean all) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.ofAfter = ofAfter;
        this.options = options;
        this.entries = entries;
        this.walk = walk;
        this.all = all;
        this.vls = vls;
        this.exact = ofAfter.map(Dependencies::isExact).orElse(true);
    }

    /**
     * Finds cycles.
     *
     * @param changing LIDs whose dependencies are not those of the new tables alone
     * @param mode how a LID changes; of LIDs that stay any
     * @return for each cyclic component the LIDs among these that take part in it, maybe none
     */
    List<BitSet> cycles(int[] changing, IntFunction<Mode> mode) {
        int[] cycle = cyclesWithAllNew(changing, mode);
        return cycle.length == 0 ? List.of() : taking(cycle, changing, mode);
    }

    /**
     * Returns whether there are cycles as long as switches have no new entries of LIDs whose mode is
     * {@link Mode#OLD_ONLY}.
     *
     * @param sentTo all LIDs that packets are sent to
     */
    boolean isFree(int[] changing, IntFunction<Mode> mode, int[] sentTo) {
        int[] cycle = cyclesWithAllNew(changing, mode);
        // The new entries that nobody has yet may have closed them: each dependency in a cycle is looked for again.
        return cycle.length == 0 || components(left(cycle, mode, sentTo)).length == 0;
    }

    /** By channel: the number, from 1, of the cyclic component that it is in, 0 if it is in none; empty without any. */
    private int[] cyclesWithAllNew(int[] changing, IntFunction<Mode> mode) {
        DependencyGraph graph = new DependencyGraph();
        walkAll(changing, mode, graph::add);
        long[] more = graph.sortedEdges();
        int[] cycle = components(Dependencies.merged(kept(), more));
        if (cycle.length > 0 && !exact) {
            // Dependencies that the new tables do not have may have closed it.
            kept = Dependencies.merged(unicast(), ofGroups());
            exact = true;
            cycle = components(Dependencies.merged(kept(), more));
        }
        return cycle;
    }

    private int[] components(long[] edges) {
        AdjacencyList channels = new AdjacencyList(edges);
        int[][] cyclic = new Components(channels).cyclic();
        if (cyclic.length == 0) {
            return new int[0];
        }
        int[] cycle = new int[Channel.number(fabric.portCount(), 0)];
        for (int i = 0; i < cyclic.length; i++) {
            for (int channel : cyclic[i]) {
                cycle[channels.channel(channel)] = i + 1;
            }
        }
        return cycle;
    }

    private static boolean isInside(int[] cycle, int from, int to) {
        return cycle[from] != 0 && cycle[from] == cycle[to];
    }

    /** Returns all dependencies inside cycles that are there without the new entries of what is only old. */
    private long[] left(int[] cycle, IntFunction<Mode> mode, int[] sentTo) {
        BitSet ports = new BitSet();
        BitSet switches = new BitSet();
        for (int channel = 0; channel < cycle.length; channel++) {
            if (cycle[channel] != 0) {
                ports.set(Channel.portOf(channel));
                switches.set(fabric.nodeOf(Channel.portOf(channel)));
            }
        }
        int[] senders = switches.stream().toArray();
        DependencyGraph graph = new DependencyGraph();
        TransitionWalk.Edges inside = (from, to, source, lid, sl) -> {
            if (isInside(cycle, from, to)) {
                graph.add(from, to, source, lid, sl);
            }
        };
        entries.forEach(sentTo, lid -> {
            Mode how = mode.apply(lid);
            entries.activateTowards(senders, ports);
            if (walk.isOrderable(how)) {
                walk.walk(lid, how, inside);
            }
        });
        return Dependencies.merged(graph.sortedEdges(), ofGroups());
    }

    private long[] kept() {
        long[] edges = kept;
        if (edges == null) {
            edges = Dependencies.merged(ofAfter.map(Dependencies::edges).orElseGet(this::unicast), ofGroups());
            kept = edges;
        }
        return edges;
    }

    private long[] unicast() {
        DependencyGraph graph = new DependencyGraph();
        SourceGroups sources = new SourceGroups(fabric, after.sls(), after.slToVl(), options);
        UnicastWalk unicast = new UnicastWalk(fabric, after, sources, options, graph, new FaultLog(), SlClaims.NOBODY);
        unicast.addAll(LikeDestinations.sorted(fabric, after, new DestinationClasses(fabric, after, options).all()));
        return graph.sortedEdges();
    }

    private long[] ofGroups() {
        long[] edges = ofGroups;
        if (edges == null) {
            DependencyGraph graph = new DependencyGraph();
            multicast(before, vls, graph);
            multicast(after, vls, graph);
            edges = graph.sortedEdges();
            ofGroups = edges;
        }
        return edges;
    }

    /** Adds the groups of some tables; their packets go by any of these VLs. */
    void multicast(Routing trees, List<SlToVl> by, DependencyGraph graph) {
        FaultLog faults = new FaultLog();
        for (SlToVl grouping : by) {
            // Senders that one table does not tell apart the other may: those of either, one after the other.
            SourceGroups sources = new SourceGroups(fabric, after.sls(), grouping, options);
            new MulticastWalk(fabric, by, sources, options, graph, faults).addAll(trees.multicast());
        }
    }

    private List<BitSet> taking(int[] cycle, int[] changing, IntFunction<Mode> mode) {
        int count = IntStream.of(cycle).max().orElse(0);
        List<BitSet> taking = Stream.generate(BitSet::new).limit(count).toList();
        walkAll(changing, mode, (from, to, source, lid, sl) -> {
            if (isInside(cycle, from, to)) {
                taking.get(cycle[from] - 1).set(lid);
            }
        });
        return taking;
    }

    private void walkAll(int[] lids, IntFunction<Mode> mode, TransitionWalk.Edges edges) {
        entries.forEach(lids, lid -> {
            Mode how = mode.apply(lid);
            entries.activate(all);
            if (walk.isOrderable(how)) {
                walk.walk(lid, how, edges);
            }
        });
    }
}
