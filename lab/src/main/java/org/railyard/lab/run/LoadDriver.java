package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.railyard.lab.engine.SimEvent;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.Span;
import org.railyard.lnet.nid.Nid;

/** Lets one node, for one life, make the calls of one load. */
final class LoadDriver {
    /** What an application does after a failure: wait about so long. */
    private static final long PAUSE_NANOS = 50_000_000L;

    private static final double SECOND = 1e9;

    private final World world;
    private final Scenario.Load load;
    private final NodeRun life;
    private final List<List<Nid>> targets = new ArrayList<>();
    private final long end;
    private final RandomGenerator random;
    private final Pace pace = new Pace();
    private final BiConsumer<Call, Outcome> done = this::done;
    private int open;

    LoadDriver(
            World world,
            Scenario.Load load,
            LabNode node,
            NodeRun life,
            List<LabNode> targets,
            long end,
            RandomGenerator random) {
        this.world = world;
        this.load = load;
        this.life = life;
        for (LabNode target : targets) {
            List<Nid> reached = target.nids().stream().filter(node::reaches).toList();
            if (target != node && !reached.isEmpty()) {
                this.targets.add(reached);
            }
        }
        this.end = end;
        this.random = random;
    }

    /** The next call of a load with a rate. */
    private final class Pace extends SimEvent {
        @Override
        protected void run() {
            if (isOver()) {
                return;
            }
            if (open < load.concurrency()) {
                one();
            }
            next();
        }

        void next() {
            // Exponential gaps: calls come by chance, as those of many users do.
            double gap = -Math.log(1 - random.nextDouble()) * SECOND / load.perSecond();
            world.queue.schedule(this, world.queue.now() + (long) gap);
        }
    }

    private boolean isOver() {
        return !life.goesOn() || world.queue.now() >= end;
    }

    /** Begins. */
    void begin() {
        if (targets.isEmpty() || isOver()) {
            return;
        }
        if (load.perSecond() > 0) {
            pace.next();
            return;
        }
        for (int i = 0; i < load.concurrency(); i++) {
            one();
        }
    }

    private void one() {
        List<Nid> nids = targets.get(random.nextInt(targets.size()));
        Span sizes = load.sizes().get(random.nextInt(load.sizes().size()));
        open++;
        world.client.call(
                life,
                load.kinds().get(random.nextInt(load.kinds().size())),
                nids.get(random.nextInt(nids.size())),
                (int) sizes.draw(random),
                done);
    }

    private void done(Call call, Outcome outcome) {
        open--;
        if (load.perSecond() > 0 || isOver()) {
            return;
        }
        if (outcome == Outcome.OK) {
            one();
        } else {
            world.queue.at(world.queue.now() + PAUSE_NANOS + random.nextLong(PAUSE_NANOS), this::again);
        }
    }

    private void again() {
        if (!isOver() && open < load.concurrency()) {
            one();
        }
    }
}
