package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Refusal.Reason;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.route.SlToVl;

/**
 * Fills tables from directions; what the baselines have in common. SL 0 for every path, VLs by SL as OpenSM sets them
 * up by default.
 */
final class BaselineRouter {
    private final String engine;
    private final Fabric fabric;
    private final CableGraph graph;
    private final Directions directions;
    private final boolean balance;

    /**
     * Prepares a run.
     *
     * @param balance whether the least used of the cables that lead there is taken, else the one of the lowest port
     */
    BaselineRouter(String engine, Fabric fabric, CableGraph graph, Directions directions, boolean balance) {
        this.engine = engine;
        this.fabric = fabric;
        this.graph = graph;
        this.directions = directions;
        this.balance = balance;
    }

    RoutingResult route(EngineOptions options, int treeRoot) {
        byte[][] rows = new byte[graph.size()][fabric.maxLid() + 1];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
        }
        int[] load = new int[fabric.portCount()];
        for (int target = 0; target < graph.size(); target++) {
            if (!graph.isLive(target)) {
                continue;
            }
            int cut = directions.turnTo(target);
            if (cut >= 0) {
                return new Refusal(
                        engine,
                        List.of(new Reason(
                                "unreachable",
                                "%s has no way to %s: the fabric is in pieces"
                                        .formatted(fabric.description(cut), fabric.description(target)))));
            }
            for (int lid : graph.lids(target)) {
                rows[target][lid] = (byte) fabric.switchPortOf(fabric.portOfLid(lid));
                for (int sw = 0; sw < rows.length; sw++) {
                    if (sw != target && graph.isLive(sw)) {
                        rows[sw][lid] = (byte) choose(sw, load);
                    }
                }
            }
        }
        return new Routing(
                engine,
                new ForwardingTables(rows),
                PathSls.constant(0),
                SlToVl.uniform(vlsBySl(graph.dataVls(options.maxOpVls()))),
                new SpanningTree(fabric, graph, treeRoot).tables(options.groups()),
                List.of());
    }

    private int choose(int sw, int[] load) {
        int best = ForwardingTables.NO_PATH;
        int bestLoad = Integer.MAX_VALUE;
        for (int i = 0; i < graph.degree(sw); i++) {
            if (directions.leads(sw, graph.neighbour(sw, i))) {
                int used = balance ? load[fabric.portIndex(sw, graph.port(sw, i))] : 0;
                if (used < bestLoad) {
                    best = graph.port(sw, i);
                    bestLoad = used;
                }
            }
        }
        load[fabric.portIndex(sw, best)]++;
        return best;
    }

    private static long vlsBySl(int dataVls) {
        int[] vls = new int[16];
        Arrays.setAll(vls, sl -> sl % dataVls);
        return SlToVl.pack(vls);
    }
}
