package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.engine.SimEvent;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.Life;
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
    private final LabNode node;
    private final Life life;
    private final List<LabNode> targets;
    private final long end;
    private final RandomGenerator random;
    private final Pace pace = new Pace();
    private int open;

    LoadDriver(
            World world,
            Scenario.Load load,
            LabNode node,
            Life life,
            List<LabNode> targets,
            long end,
            RandomGenerator random) {
        this.world = world;
        this.load = load;
        this.node = node;
        this.life = life;
        this.targets = targets.stream().filter(target -> target != node).toList();
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
        Nid target = target(targets.get(random.nextInt(targets.size())));
        Span sizes = load.sizes().get(random.nextInt(load.sizes().size()));
        if (target == null) {
            return;
        }
        open++;
        world.client.call(
                life,
                load.kinds().get(random.nextInt(load.kinds().size())),
                target,
                (int) sizes.draw(random),
                this::done);
    }

    /** Returns one of the target's NIDs on a net that this node has. */
    private @Nullable Nid target(LabNode target) {
        List<Nid> shared = new ArrayList<>();
        for (Nid nid : target.nids()) {
            for (Nid own : node.nids()) {
                if (own.isOnNetOf(nid)) {
                    shared.add(nid);
                    break;
                }
            }
        }
        return shared.isEmpty() ? null : shared.get(random.nextInt(shared.size()));
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
