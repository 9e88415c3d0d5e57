package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.scenario.Scenario;

/** The loads of a run: who drives which, from when to when. */
final class Loads {
    /** A load with what the seed decided. */
    private record Plan(
            Scenario.Load load, int number, List<LabNode> from, List<LabNode> targets, long start, long end) {}

    private final World world;
    private final List<Plan> plans = new ArrayList<>();

    Loads(World world, List<Scenario.Load> loads) {
        this.world = world;
        for (int i = 0; i < loads.size(); i++) {
            Scenario.Load load = loads.get(i);
            RandomGenerator random = world.chance.of("load", i);
            long start = load.start().draw(random);
            plans.add(new Plan(
                    load,
                    i,
                    Nodes.select(world.nodes, load.from(), random),
                    Nodes.select(world.nodes, load.to(), random),
                    start,
                    start + load.duration().draw(random)));
        }
        world.onStart(this::started);
    }

    /** Returns when the last load ends, ns. */
    long end() {
        return plans.stream().mapToLong(Plan::end).max().orElse(0);
    }

    private void started(LabNode node) {
        NodeRun life = node.life();
        for (Plan plan : plans) {
            if (life != null && plan.from().contains(node)) {
                String name = "driver " + plan.number() + " " + life.number();
                LoadDriver driver = new LoadDriver(
                        world,
                        plan.load(),
                        node,
                        life,
                        plan.targets(),
                        plan.end(),
                        world.chance.of(name, node.machine().number()));
                world.queue.at(Math.max(plan.start(), world.queue.now()), driver::begin);
            }
        }
    }
}
