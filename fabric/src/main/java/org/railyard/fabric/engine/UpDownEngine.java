package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Refusal.Reason;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;

/**
 * Up*&#47;down* routing: free of credit loops on any fabric with one VL, at the price of longer ways and a crowded root
 * (spec 32 §8).
 */
public final class UpDownEngine implements RoutingEngine {
    private final List<Root> roots;

    /**
     * Makes the engine.
     *
     * @param roots switches to be the root, the best first: the first that is there is taken. If the list is empty, the
     *     first of the switches from which the farthest one is nearest
     */
    public UpDownEngine(List<Root> roots) {
        this.roots = List.copyOf(roots);
    }

    @Override
    public String name() {
        return "up-down";
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
        CableGraph graph = new CableGraph(fabric);
        if (graph.size() == 0) {
            return new Refusal(name(), List.of(new Reason("switches", "the fabric has no switch")));
        }
        int root = roots.isEmpty() ? centre(graph) : first(fabric);
        if (root == Fabric.NONE) {
            return new Refusal(
                    name(),
                    List.of(new Reason("roots", "no root GUID is that of a switch: look at the list of roots")));
        }
        return new BaselineRouter(name(), fabric, graph, new UpDownDirections(graph, root), true).route(options, root);
    }

    private int first(Fabric fabric) {
        return roots.stream()
                .filter(each -> each.isIn(fabric))
                .mapToInt(each -> fabric.nodeOfGuid(each.guid()))
                .findFirst()
                .orElse(Fabric.NONE);
    }

    private static int centre(CableGraph graph) {
        int best = graph.firstLive();
        int nearest = Integer.MAX_VALUE;
        for (int sw = 0; sw < graph.size(); sw++) {
            int farthest = Arrays.stream(graph.hopsTo(sw)).max().orElse(0);
            if (graph.isLive(sw) && farthest < nearest) {
                nearest = farthest;
                best = sw;
            }
        }
        return best;
    }
}
