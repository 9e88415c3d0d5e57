package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Refusal.Reason;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;

/**
 * Shortest ways on any connected fabric, in the manner of DFSSSP (Domke, Hoefler, Nagel 2011) and LASH (Skeie, Lysne,
 * Theiss 2002): each destination gets the least loaded of the shortest ways, and each way the first layer, which is a
 * VL, where it closes no cycle. If there are not enough VLs the same is tried with ways that take the same cables
 * wherever they can, which needs fewer; then the fabric is refused, with the number of VLs that would do.
 *
 * <p>Ways from or to ports 0 of switches come last. Those that find no layer have no SL, which is noted.
 */
public final class LayeredEngine implements RoutingEngine {
    /** Most ways: with more, all hosts of a switch are reached by the same. */
    private static final int MAX_WAYS = 8192;

    /** VLs that InfiniBand has for data. */
    private static final int MAX_VLS = 15;

    /** Makes the engine; it has no settings. */
    public LayeredEngine() {}

    @Override
    public String name() {
        return "layered";
    }

    @Override
    public RoutingResult route(Fabric fabric, EngineOptions options) {
        CableGraph graph = new CableGraph(fabric);
        Optional<Reason> problem = Searchable.problem(fabric, graph, MAX_VLS);
        if (problem.isPresent()) {
            return refusal(problem.orElseThrow());
        }
        Run balanced = new Run(fabric, graph, options, true);
        if (balanced.fits()) {
            return balanced.routing(List.of());
        }
        Run plain = new Run(fabric, graph, options, false);
        if (plain.fits()) {
            return plain.routing(List.of("ways take the cable with the lowest port, which loads some more than others:"
                    + " balanced ways would need " + balanced.needed()));
        }
        Run better = plain.vls < balanced.vls ? plain : balanced;
        return refusal(new Reason("vls", better.reason()));
    }

    private Refusal refusal(Reason reason) {
        return new Refusal(name(), List.of(reason));
    }

    /** One run: what it fills. */
    private static final class Run {
        private final Fabric fabric;
        private final CableGraph graph;
        private final EngineOptions options;
        private final boolean balanced;
        private final int available;
        private final Channels channels;
        private final SpanningTree tree;
        private final PathLayers layers;
        /** Index of the first ways of each switch; one entry more than switches. */
        private final int[] firstWays;

        private final int[][] next;
        private final byte[][] layer;
        /** VLs that hosts need, more than there may be if even those do not do. */
        private int vls;

        private boolean homeless;
        private String firstHomeless = "";
        private long portsZero;
        private long portsZeroWithout;

        Run(Fabric fabric, CableGraph graph, EngineOptions options, boolean balanced) {
            this.fabric = fabric;
            this.graph = graph;
            this.options = options;
            this.balanced = balanced;
            available = graph.dataVls(options.maxOpVls());
            channels = new Channels(fabric, graph);
            tree = new SpanningTree(fabric, graph, graph.nearestWithHosts(graph.middle(graph.firstLive())));
            BitSet multicast = new BitSet();
            for (MulticastGroup group : options.groups()) {
                multicast.set(group.sl() % available);
            }
            layers = new PathLayers(
                    channels,
                    order(multicast),
                    number -> multicast.get(number)
                            ? TreeDependencies.of(graph, channels, tree)
                            : new DependencyOrder(
                                    channels,
                                    IntStream.range(0, channels.count()).toArray()));
            firstWays = firstWays();
            next = ways();
            layer = new byte[graph.size()][next.length];
            for (byte[] row : layer) {
                Arrays.fill(row, (byte) PathSls.NO_SL);
            }
            deal();
        }

        /** Layers in which there is multicast come last, and before them those that there are. */
        private int[] order(BitSet multicast) {
            return IntStream.concat(
                            IntStream.concat(
                                    IntStream.range(0, available).filter(vl -> !multicast.get(vl)),
                                    IntStream.range(0, available).filter(multicast::get)),
                            IntStream.range(available, MAX_VLS))
                    .toArray();
        }

        private int[] firstWays() {
            int hosts = 0;
            for (int sw = 0; sw < graph.size(); sw++) {
                hosts += Math.max(1, graph.hosts(sw));
            }
            int[] first = new int[graph.size() + 1];
            for (int sw = 0; sw < graph.size(); sw++) {
                first[sw + 1] = first[sw] + (hosts <= MAX_WAYS ? Math.max(1, graph.hosts(sw)) : 1);
            }
            return first;
        }

        /**
         * Finds them in two orders and takes those whose most loaded cable carries less: all hosts of a switch and then
         * those of a neighbour, which suits fat trees; or one host of each switch, then the next of each, which suits
         * dragonflies.
         */
        private int[][] ways() {
            int[][] bySwitch = new int[firstWays[graph.size()]][];
            int[][] inTurn = bySwitch.clone();
            ShortestWays one = new ShortestWays(graph, channels, balanced);
            for (int target : graph.fromEdge()) {
                for (int turn = 0; turn < waysOf(target); turn++) {
                    find(one, target, turn, bySwitch);
                }
            }
            ShortestWays other = new ShortestWays(graph, channels, balanced);
            int most = IntStream.range(0, graph.size()).map(this::waysOf).max().orElse(0);
            for (int turn = 0; turn < most; turn++) {
                for (int target = 0; target < graph.size(); target++) {
                    if (turn < waysOf(target)) {
                        find(other, target, turn, inTurn);
                    }
                }
            }
            return other.mostLoaded() < one.mostLoaded() ? inTurn : bySwitch;
        }

        private int waysOf(int target) {
            return firstWays[target + 1] - firstWays[target];
        }

        private void find(ShortestWays ways, int target, int turn, int[][] found) {
            int of = waysOf(target);
            int ends = (graph.hosts(target) + of - 1 - turn) / of;
            found[firstWays[target] + turn] = ways.to(target, turn, ends);
        }

        private void deal() {
            for (boolean ofHosts : new boolean[] {true, false}) {
                for (int target : graph.fromEdge()) {
                    int[] hops = graph.hopsTo(target);
                    int[] nearest = ShortestWays.nearestFirst(hops);
                    for (int ways = firstWays[target]; ways < firstWays[target + 1]; ways++) {
                        layer[target][ways] = 0;
                        for (int i = nearest.length - 1; i > 0; i--) {
                            int from = nearest[i];
                            if (ofHosts == (graph.hosts(from) > 0 && graph.hosts(target) > 0)) {
                                deal(from, target, ways, ofHosts);
                            }
                        }
                    }
                }
                if (ofHosts) {
                    vls = Math.max(1, layers.used()) + (homeless ? 1 : 0);
                }
            }
        }

        private void deal(int from, int target, int ways, boolean ofHosts) {
            int found = layers.place(from, next[ways], ofHosts ? MAX_VLS : available);
            if (ofHosts && (found < 0 || found >= available) && firstHomeless.isEmpty()) {
                firstHomeless = fabric.description(from) + " to " + fabric.description(target);
            }
            homeless |= ofHosts && found < 0;
            portsZero += ofHosts ? 0 : 1;
            portsZeroWithout += ofHosts || found >= 0 ? 0 : 1;
            layer[from][ways] = (byte) found;
        }

        boolean fits() {
            return vls <= available;
        }

        String needed() {
            return vls > MAX_VLS ? "more than " + MAX_VLS + " VLs" : vls + " VLs";
        }

        String reason() {
            return ("shortest ways need %s here, and %d %s: the first that found no place is from %s; engine nue does"
                            + " with those that there are")
                    .formatted(needed(), available, available == 1 ? "is there" : "are there", firstHomeless);
        }

        Routing routing(List<String> more) {
            byte[][] rows = new byte[graph.size()][fabric.maxLid() + 1];
            int[] classOfLid = new int[fabric.maxLid() + 1];
            Arrays.fill(classOfLid, -1);
            for (byte[] row : rows) {
                Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
            }
            int[] switchOfWays = new int[next.length];
            for (int target = 0; target < graph.size(); target++) {
                Arrays.fill(switchOfWays, firstWays[target], firstWays[target + 1], target);
                int host = 0;
                for (int lid : graph.lids(target)) {
                    int port = fabric.portOfLid(lid);
                    boolean own = fabric.isSwitch(fabric.nodeOf(port));
                    int ways = firstWays[target] + (own ? 0 : host++ % waysOf(target));
                    classOfLid[lid] = ways;
                    // To a switch without cables no ways were looked for, and none lead from it.
                    for (int sw = 0; sw < rows.length && graph.isLive(target); sw++) {
                        int channel = next[ways][sw];
                        rows[sw][lid] = (byte) (channel < 0 ? ForwardingTables.NO_PATH : channels.port(channel));
                    }
                    rows[target][lid] = (byte) fabric.switchPortOf(port);
                }
            }
            List<String> notes = new ArrayList<>();
            notes.add("%d of %d %s needed".formatted(vls, available, available == 1 ? "VL" : "VLs"));
            notes.addAll(more);
            if (portsZeroWithout > 0) {
                notes.add("%d of %d ways from or to ports 0 of switches close a cycle on every VL: they have no SL"
                        .formatted(portsZeroWithout, portsZero));
            }
            return new Routing(
                    "layered",
                    new ForwardingTables(rows),
                    new LayeredSls(classOfLid, switchOfWays, layer),
                    new LayerVls(fabric, available, options.maxOpVls()),
                    tree.tables(options.groups()),
                    notes);
        }
    }
}
