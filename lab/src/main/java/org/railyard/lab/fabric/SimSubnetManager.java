package org.railyard.lab.fabric;

import java.util.function.Consumer;
import org.railyard.fabric.route.Routing;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimEvent;
import org.railyard.softverbs.SoftFabric;

/**
 * Makes links active and routes a fabric anew some time after it changed, as a subnet manager does. What the engine
 * refuses keeps its tables.
 */
final class SimSubnetManager {
    private final EventQueue queue;
    private final TorusRouting torus;
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

    SimSubnetManager(
            EventQueue queue,
            TorusRouting torus,
            long sweepNanos,
            SoftFabric fabric,
            LinkStates links,
            Consumer<String> journal) {
        this.queue = queue;
        this.torus = torus;
        this.sweepNanos = sweepNanos;
        this.fabric = fabric;
        this.links = links;
        this.journal = journal;
    }

    /** The fabric changed: it will be looked at. */
    void changed() {
        if (!sweep.isScheduled()) {
            queue.schedule(sweep, queue.now() + sweepNanos);
        }
    }

    private void sweep() {
        links.activate();
        switch (torus.without(links.down(), fabric.present())) {
            case TorusRouting.Tables(Routing routing, String remark) -> {
                fabric.reroute(routing);
                journal.accept("new tables by " + routing.engine() + remark);
            }
            case TorusRouting.None(String why) -> journal.accept("no new tables: " + why);
        }
    }
}
