package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
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
    private final CheckOptions options;
    private final TransitionWalk walk;
    private final boolean all;
    private final List<SlToVl> vls;

    /** Dependencies by the new tables, and of all groups. */
    private long @Nullable [] kept;

    /**
     * Prepares it.
     *
     * @param walk of these tables
     * @param vls SL to VL tables, one after the other, that packets may meet
     * @param all whether VLs or SLs change: then flows whose entries stay count as well
     */
    TransitionGraph(
            Fabric fabric,
            Routing before,
            Routing after,
            CheckOptions options,
            TransitionWalk walk,
            List<SlToVl> vls,
            boolean all) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.options = options;
        this.walk = walk;
        this.all = all;
        this.vls = vls;
    }

    /**
     * Finds cycles.
     *
     * @param lids whose dependencies are not those of the new tables alone
     * @param mode how each of them changes
     * @param without LIDs of which no switch has a new entry yet
     * @return for each cyclic component the LIDs among these that take part in it, maybe none
     */
    List<BitSet> cycles(int[] lids, IntFunction<Mode> mode, BitSet without) {
        List<BitSet> cycles = cycles(kept(), lids, mode);
        if (cycles.isEmpty() || without.isEmpty()) {
            return cycles;
        }
        // The new entries that nobody has yet may have closed them.
        return cycles(sorted(withoutNew(without)), lids, mode);
    }

    private long[] kept() {
        long[] edges = kept;
        if (edges == null) {
            edges = sorted(after);
            kept = edges;
        }
        return edges;
    }

    private long[] sorted(Routing now) {
        DependencyGraph graph = new DependencyGraph();
        SourceGroups sources = new SourceGroups(fabric, after.sls(), after.slToVl(), options);
        UnicastWalk unicast = new UnicastWalk(fabric, now, sources, options, graph, new FaultLog());
        unicast.addAll(new DestinationClasses(fabric, now, options).all());
        multicast(before, vls, graph);
        multicast(after, vls, graph);
        return graph.sortedEdges();
    }

    /** Adds the groups of some tables; their packets go by any of these VLs. */
    void multicast(Routing trees, List<SlToVl> by, DependencyGraph graph) {
        FaultLog faults = new FaultLog();
        for (SlToVl grouping : by) {
            // Senders that one table does not tell apart the other may: those of either, one after the other.
            SourceGroups sources = new SourceGroups(fabric, after.sls(), grouping, options);
            MulticastWalk multicast = new MulticastWalk(fabric, by, sources, options, graph, faults);
            for (int mlid : trees.multicast().mlids()) {
                MulticastTables.Tree tree = trees.multicast().tree(mlid);
                if (tree != null) {
                    multicast.add(mlid, tree);
                }
            }
        }
    }

    /** Returns the new tables without some LIDs. */
    private Routing withoutNew(BitSet lids) {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 0; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte)
                        (lids.get(lid)
                                ? ForwardingTables.NO_PATH
                                : after.forwarding().port(sw, lid));
            }
        }
        return new Routing(
                after.engine(),
                new ForwardingTables(rows),
                after.sls(),
                after.slToVl(),
                MulticastTables.NONE,
                List.of());
    }

    private List<BitSet> cycles(long[] edges, int[] lids, IntFunction<Mode> mode) {
        DependencyGraph more = new DependencyGraph();
        walkAll(lids, mode, more::add);
        AdjacencyList channels = new AdjacencyList(merged(edges, more.sortedEdges()));
        int[][] found = new Components(channels).cyclic();
        List<BitSet> taking = new ArrayList<>();
        if (found.length == 0) {
            return taking;
        }
        for (int i = 0; i < found.length; i++) {
            taking.add(new BitSet());
        }
        int[] cycle = cycleOfChannels(channels, found);
        walkAll(lids, mode, (from, to, source, lid, sl) -> {
            if (from < cycle.length && to < cycle.length && cycle[from] != 0 && cycle[from] == cycle[to]) {
                taking.get(cycle[from] - 1).set(lid);
            }
        });
        return taking;
    }

    private static long[] merged(long[] a, long[] b) {
        long[] merged = new long[a.length + b.length];
        int next = 0;
        for (int i = 0, j = 0; i < a.length || j < b.length; ) {
            long left = i < a.length ? a[i] : Long.MAX_VALUE;
            long right = j < b.length ? b[j] : Long.MAX_VALUE;
            merged[next++] = Math.min(left, right);
            i += left <= right ? 1 : 0;
            j += right <= left ? 1 : 0;
        }
        return Arrays.copyOf(merged, next);
    }

    /** By channel: the number of the cyclic component that it is in, from 1; 0 if it is in none. */
    private int[] cycleOfChannels(AdjacencyList channels, int[][] cyclic) {
        int[] cycle = new int[Channel.number(fabric.portCount(), 0)];
        for (int i = 0; i < cyclic.length; i++) {
            for (int channel : cyclic[i]) {
                cycle[channels.channel(channel)] = i + 1;
            }
        }
        return cycle;
    }

    private void walkAll(int[] lids, IntFunction<Mode> mode, TransitionWalk.Edges edges) {
        walk.forEach(lids, (lid, _) -> {
            Mode how = mode.apply(lid);
            if (walk.isOrderable(how)) {
                walk.walk(lid, how, all || how == Mode.OLD_ONLY || how == Mode.NEW_ONLY, edges);
            }
        });
    }
}
