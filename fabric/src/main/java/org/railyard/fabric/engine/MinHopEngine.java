package org.railyard.fabric.engine;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;

/** Takes the least used of the shortest ways. Free of credit loops by luck only (spec 32 §8). */
public final class MinHopEngine implements RoutingEngine {
    /** Makes the engine; it has no settings. */
    public MinHopEngine() {}

    @Override
    public String name() {
        return "min-hop";
    }

    @Override
    public boolean leavesSlToVl() {
        return true;
    }

    @Override
    public RoutingResult route(Fabric fabric, EngineOptions options) {
        CableGraph graph = new CableGraph(fabric);
        return new BaselineRouter(name(), fabric, graph, new ShortestDirections(graph), true)
                .route(options, graph.firstLive());
    }
}
