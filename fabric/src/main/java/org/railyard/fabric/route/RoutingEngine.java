package org.railyard.fabric.route;

import java.util.List;
import org.railyard.fabric.model.Fabric;

/**
 * Computes routes. What one engine alone needs (a torus description, root switches) is given to its constructor.
 *
 * <p>Engines hold no state between runs and may be used by any thread; results are immutable.
 */
public interface RoutingEngine {
    /** Returns the name that selects the engine, as in OpenSM's {@code routing_engine}. */
    String name();

    /**
     * Routes a fabric that has LIDs. End ports without LID are left out.
     *
     * @return a {@link Routing}, or a {@link Refusal} with the reasons; never a part of the tables
     */
    RoutingResult route(Fabric fabric, EngineOptions options);

    /** Returns what the engine was told that a fabric does not have, one line each. */
    default List<String> remarks(Fabric fabric) {
        return List.of();
    }

    /**
     * Returns whether the engine needs no SL to VL tables of its own: all its paths have one SL, so that others may
     * take the place of its tables, as long as the result is proved.
     */
    default boolean leavesSlToVl() {
        return false;
    }
}
