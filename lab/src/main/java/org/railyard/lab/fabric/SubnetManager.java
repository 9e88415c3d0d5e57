package org.railyard.lab.fabric;

import java.util.function.Consumer;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.torus.TorusConfException;
import org.railyard.fabric.torus.TorusConfParser;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimEvent;
import org.railyard.softverbs.SoftFabric;

/**
 * Makes links active and routes a fabric anew some time after it changed, as a subnet manager does. What the engine
 * refuses keeps its tables.
 */
final class SubnetManager {
    /** With two seeds no failed switch keeps torus-2QoS from finding the torus. */
    private static final int SEEDS = 2;

    private final EventQueue queue;
    private final RoutingEngine engine;
    private final long sweepNanos;
    private final SoftFabric fabric;
    private final LinkStates links;
    private final Consumer<String> journal;
    private final SimEvent sweep = new SimEvent() {
        @Override
        protected void run() {
            sweep();
        }
    };

    SubnetManager(
            EventQueue queue,
            RoutingEngine engine,
            long sweepNanos,
            SoftFabric fabric,
            LinkStates links,
            Consumer<String> journal) {
        this.queue = queue;
        this.engine = engine;
        this.sweepNanos = sweepNanos;
        this.fabric = fabric;
        this.links = links;
        this.journal = journal;
    }

    /** Returns what routes a torus. */
    static RoutingEngine engine(TorusSettings settings) {
        return switch (settings.engine()) {
            case MIN_HOP -> new MinHopEngine();
            case DOR -> new DorEngine();
            case TORUS_2QOS -> {
                try {
                    String conf = settings.plan().conf(SEEDS);
                    yield new TorusEngine(TorusConfParser.parse(conf), TorusOptions.DEFAULT);
                } catch (TorusConfException e) {
                    throw new IllegalStateException("a torus of " + settings.radices() + " has no torus-2QoS.conf", e);
                }
            }
        };
    }

    /**
     * Returns the tables of a fabric from which nothing is missing.
     *
     * @throws IllegalArgumentException if the engine can not route it
     */
    static Routing first(RoutingEngine engine, Fabric whole) {
        return switch (engine.route(whole, EngineOptions.DEFAULT)) {
            case Routing routing -> routing;
            case Refusal refusal -> throw new IllegalArgumentException(engine.name() + ": " + refusal);
        };
    }

    /** The fabric changed: it will be looked at. */
    void changed() {
        if (!sweep.isScheduled()) {
            queue.schedule(sweep, queue.now() + sweepNanos);
        }
    }

    private void sweep() {
        links.activate();
        RoutingResult result = engine.route(fabric.present(), EngineOptions.DEFAULT);
        switch (result) {
            case Routing routing -> {
                fabric.reroute(routing);
                journal.accept("new tables by " + engine.name());
            }
            case Refusal refusal -> journal.accept("no new tables: " + refusal);
        }
    }
}
