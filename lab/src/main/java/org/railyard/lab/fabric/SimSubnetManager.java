package org.railyard.lab.fabric;

import java.util.List;
import java.util.function.Consumer;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimEvent;
import org.railyard.softverbs.SoftFabric;

/**
 * Makes links active and routes a fabric anew some time after it changed, as a subnet manager does. What the engine
 * refuses keeps its tables.
 */
final class SimSubnetManager {
    /** With two seeds no failed switch keeps torus-2QoS from finding the torus. */
    private static final int SEEDS = 2;

    private final EventQueue queue;
    private final ProvenRouting engine;
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
            ProvenRouting engine,
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
    static ProvenRouting engine(TorusSettings settings) {
        try {
            TorusConf conf = TorusConfParser.parse(settings.plan().conf(SEEDS));
            return ProvenRouting.by(settings.engine().of(conf));
        } catch (TorusConfException e) {
            throw new IllegalStateException("a torus of " + settings.radices() + " has no torus-2QoS.conf", e);
        }
    }

    /** The fabric changed: it will be looked at. */
    void changed() {
        if (!sweep.isScheduled()) {
            queue.schedule(sweep, queue.now() + sweepNanos);
        }
    }

    private void sweep() {
        links.activate();
        switch (engine.run(fabric.present(), List.of())) {
            case Proven proven -> load(proven.tables().routing(), "");
            case CreditLoops(Tables tables, CheckReport report) ->
                load(
                        tables.routing(),
                        ", which close a credit loop of %d channels"
                                .formatted(report.loops().getFirst().waits().size()));
            case Refused(Fabric _, Refusal refusal) -> journal.accept("no new tables: " + refusal);
        }
    }

    private void load(Routing routing, String remark) {
        fabric.reroute(routing);
        journal.accept("new tables by " + routing.engine() + remark);
    }
}
