package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Refusal.Reason;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;

/**
 * Routes any connected fabric free of credit loops with the VLs that there are, one or more, in the manner of Nue
 * (Domke, Hoefler, Matsuoka 2016): destinations are dealt to the VLs, and on each the ways are searched among the
 * dependencies that close no cycle, with a spanning tree to fall back on. The SL of a path is the VL of its
 * destination. Multicast takes the spanning tree of the VL of its SL.
 */
public final class NueEngine implements RoutingEngine {
    /** Makes the engine; it has no settings. */
    public NueEngine() {}

    @Override
    public String name() {
        return "nue";
    }

    @Override
    public RoutingResult route(Fabric fabric, EngineOptions options) {
        CableGraph graph = new CableGraph(fabric);
        Optional<Reason> problem = Searchable.problem(fabric, graph, 1);
        if (problem.isPresent()) {
            return new Refusal(name(), List.of(problem.orElseThrow()));
        }
        return new Run(fabric, graph, options).routing();
    }

    /** One run: what it fills. */
    private final class Run {
        private final Fabric fabric;
        private final CableGraph graph;
        private final EngineOptions options;
        private final int layers;
        private final byte[] layerOfLid;
        private final byte[][] rows;
        private final SortedMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        private int byTree;
        private int routed;

        Run(Fabric fabric, CableGraph graph, EngineOptions options) {
            this.fabric = fabric;
            this.graph = graph;
            this.options = options;
            layers = graph.dataVls(options.maxOpVls());
            layerOfLid = new byte[fabric.maxLid() + 1];
            Arrays.fill(layerOfLid, (byte) -1);
            rows = new byte[graph.size()][fabric.maxLid() + 1];
            for (byte[] row : rows) {
                Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
            }
        }

        Routing routing() {
            Channels channels = new Channels(fabric, graph);
            int[] hosts = IntStream.range(0, graph.size()).map(graph::hosts).toArray();
            long[] load = new long[channels.count()];
            List<List<Integer>> parts = parts();
            for (int layer = 0; layer < layers; layer++) {
                List<Integer> part = parts.get(layer);
                int start = part.isEmpty() ? graph.firstLive() : part.getFirst();
                // A root with hosts: the turns of the tree in which a fat tree's ways never turn are then all near it.
                int root = graph.nearestWithHosts(graph.middle(start));
                SpanningTree tree = new SpanningTree(fabric, graph, root);
                routeLayer(layer, part, new NueLayer(graph, channels, tree, hosts, load), channels);
                for (MulticastGroup group : options.groups()) {
                    if (group.sl() % layers == layer) {
                        trees.put(group.mlid(), tree.tree(group));
                    }
                }
            }
            return new Routing(
                    name(),
                    new ForwardingTables(rows),
                    new LayerSls(layerOfLid, layers),
                    new LayerVls(fabric, layers, options.maxOpVls()),
                    new MulticastTables(trees),
                    List.of("%d %s; %d of %d destinations are reached along a spanning tree"
                            .formatted(layers, layers == 1 ? "VL" : "VLs", byTree, routed)));
        }

        /** Hosts first: they have the choice of dependencies. */
        private void routeLayer(int layer, List<Integer> part, NueLayer ways, Channels channels) {
            for (boolean toHosts : new boolean[] {true, false}) {
                for (int target : part) {
                    for (int lid : graph.lids(target)) {
                        int port = fabric.portOfLid(lid);
                        if (fabric.isSwitch(fabric.nodeOf(port)) != toHosts) {
                            byTree += ways.route(target, toHosts) ? 0 : 1;
                            routed++;
                            layerOfLid[lid] = (byte) layer;
                            for (int sw = 0; sw < rows.length; sw++) {
                                int channel = ways.next(sw);
                                rows[sw][lid] =
                                        (byte) (channel < 0 ? ForwardingTables.NO_PATH : channels.port(channel));
                            }
                            rows[target][lid] = (byte) fabric.switchPortOf(port);
                        }
                    }
                }
            }
        }

        /** Deals the switches to the layers, as many LIDs to each, neighbours to the same: their ways are alike. */
        private List<List<Integer>> parts() {
            List<List<Integer>> parts = new ArrayList<>();
            for (int layer = 0; layer < layers; layer++) {
                parts.add(new ArrayList<>());
            }
            int[] order = graph.fromEdge();
            long all =
                    Arrays.stream(order).mapToLong(sw -> graph.lids(sw).size()).sum();
            long before = 0;
            for (int sw : order) {
                int lids = graph.lids(sw).size();
                // By the middle of what the switch has: the last one is still below the number of layers.
                parts.get(all == 0 ? 0 : (int) ((2 * before + lids) * layers / (2 * all + 1)))
                        .add(sw);
                before += lids;
            }
            return parts;
        }
    }
}
