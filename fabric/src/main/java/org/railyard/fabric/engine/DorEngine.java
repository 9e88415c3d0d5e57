package org.railyard.fabric.engine;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;

/**
 * Takes the lowest port of the shortest ways: dimension order, if every switch numbers its ports by dimension. Free of
 * credit loops on a mesh, not on a torus (spec 32 §8).
 */
public final class DorEngine implements RoutingEngine {
    /** Makes the engine; it has no settings. */
    public DorEngine() {}

    @Override
    public String name() {
        return "dor";
    }

    @Override
    public boolean leavesSlToVl() {
        return true;
    }

    @Override
    public RoutingResult route(Fabric fabric, EngineOptions options) {
        CableGraph graph = new CableGraph(fabric);
        return new BaselineRouter(name(), fabric, graph, new ShortestDirections(graph), false)
                .route(options, graph.firstLive());
    }
}
