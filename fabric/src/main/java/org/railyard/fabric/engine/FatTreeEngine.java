package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Refusal.Reason;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.route.SlToVl;

/**
 * Routes fat trees up and down by destination, on one VL. Hosts are numbered by the GUID of their leaf switch and by
 * port; in a tree with as many cables up as down no two of them meet on a cable if each sends to the one that is a
 * fixed number further on. Switches and cables may be missing as long as each two hosts have a way up and down.
 */
public final class FatTreeEngine implements RoutingEngine {
    /** Switches of the top level that are looked at for the root of multicast. */
    private static final int ROOTS_TRIED = 64;

    private final List<Root> roots;

    /**
     * Makes the engine.
     *
     * @param roots the switches of the top level; if the list is empty, the switches with hosts are
     *     the bottom level
     */
    public FatTreeEngine(List<Root> roots) {
        this.roots = List.copyOf(roots);
    }

    @Override
    public String name() {
        return "ftree";
    }

    @Override
    public boolean leavesSlToVl() {
        return true;
    }

    @Override
    public List<String> remarks(Fabric fabric) {
        return Root.missing(roots, fabric);
    }

    @Override
    public RoutingResult route(Fabric fabric, EngineOptions options) {
        List<Integer> top = roots.stream()
                .filter(root -> root.isIn(fabric))
                .map(root -> fabric.nodeOfGuid(root.guid()))
                .toList();
        if (top.isEmpty() && !roots.isEmpty()) {
            return refusal("roots", "no root GUID is that of a switch: look at the list of roots");
        }
        CableGraph graph = new CableGraph(fabric);
        TreeLevels levels = new TreeLevels(fabric, graph, top);
        String problem = levels.problem();
        return problem != null ? refusal("no fat tree", problem) : new Run(fabric, graph, levels).result(options);
    }

    private Refusal refusal(String code, String text) {
        return new Refusal(name(), List.of(new Reason(code, text)));
    }

    /** One run: what it fills. */
    private final class Run {
        private final Fabric fabric;
        private final CableGraph graph;
        private final TreeLevels levels;
        private final Channels channels;
        private final byte[][] rows;
        private @Nullable String cut;
        private long without;

        Run(Fabric fabric, CableGraph graph, TreeLevels levels) {
            this.fabric = fabric;
            this.graph = graph;
            this.levels = levels;
            channels = new Channels(fabric, graph);
            rows = new byte[graph.size()][fabric.maxLid() + 1];
            for (byte[] row : rows) {
                Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
            }
        }

        RoutingResult result(EngineOptions options) {
            TreeWays ways = new TreeWays(graph, channels, levels);
            for (boolean toHosts : new boolean[] {true, false}) {
                for (int target = 0; target < graph.size(); target++) {
                    if (levels.of(target) >= 0) {
                        routeTo(target, toHosts, ways);
                    }
                }
            }
            String reason = cut;
            if (reason != null) {
                return refusal("unreachable", reason);
            }
            int[] vls = new int[16];
            int dataVls = graph.dataVls(options.maxOpVls());
            Arrays.setAll(vls, sl -> sl % dataVls);
            String shape = "%d levels; %s".formatted(levels.count(), perLevel());
            return new Routing(
                    name(),
                    new ForwardingTables(rows),
                    PathSls.constant(0),
                    SlToVl.uniform(SlToVl.pack(vls)),
                    new SpanningTree(fabric, graph, multicastRoot()).tables(options.groups()),
                    without == 0
                            ? List.of(shape)
                            : List.of(
                                    shape,
                                    "%d ways from or to ports 0 of switches would have to go down and up again: there are none"
                                            .formatted(without)));
        }

        private String perLevel() {
            List<String> counts = IntStream.range(0, levels.count())
                    .mapToObj(level -> Long.toString(IntStream.range(0, graph.size())
                            .filter(sw -> levels.of(sw) == level)
                            .count()))
                    .toList();
            return "switches from the bottom up: " + String.join(", ", counts);
        }

        private void routeTo(int target, boolean toHosts, TreeWays ways) {
            List<Integer> lids = graph.lids(target).stream()
                    .filter(lid -> fabric.isSwitch(fabric.nodeOf(fabric.portOfLid(lid))) != toHosts)
                    .sorted(Comparator.comparingInt(lid -> fabric.switchPortOf(fabric.portOfLid(lid))))
                    .toList();
            for (int lid : lids) {
                ways.route(target, toHosts);
                for (int sw = 0; sw < rows.length; sw++) {
                    int channel = ways.next(sw);
                    if (channel >= 0) {
                        rows[sw][lid] = (byte) channels.port(channel);
                    } else if (sw != target && graph.isLive(sw)) {
                        missing(sw, lid);
                    }
                }
                rows[target][lid] = (byte) fabric.switchPortOf(fabric.portOfLid(lid));
            }
        }

        /** Two hosts must have a way; what begins or ends at port 0 of a switch may have none. */
        private void missing(int sw, int lid) {
            int node = fabric.nodeOf(fabric.portOfLid(lid));
            if (graph.hosts(sw) == 0 || fabric.isSwitch(node)) {
                without++;
            } else if (cut == null) {
                cut = "%s has no way up and down to %s: cables or switches are missing"
                        .formatted(fabric.description(sw), fabric.description(node));
            }
        }

        /** Of the first switches at the top the one that has most switches with hosts below it. */
        private int multicastRoot() {
            int best = graph.firstLive();
            long most = -1;
            int[] top = Arrays.stream(levels.fromTop())
                    .filter(sw -> levels.of(sw) == levels.count() - 1)
                    .limit(ROOTS_TRIED)
                    .toArray();
            for (int root : top) {
                int[] hops = graph.hopsTo(root);
                long reached = IntStream.range(0, hops.length)
                        .filter(sw -> graph.hosts(sw) > 0 && hops[sw] == levels.of(root) - levels.of(sw))
                        .count();
                if (reached > most) {
                    most = reached;
                    best = root;
                }
            }
            return best;
        }
    }
}
