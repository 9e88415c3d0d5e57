package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.railyard.lab.fabric.RailFabric;
import org.railyard.lab.net.MachineCards;
import org.railyard.lab.net.Rail;
import org.railyard.lab.net.RailSettings;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.net.SimMachine;
import org.railyard.lab.observe.JournalKind;
import org.railyard.lab.scenario.FaultAction;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.Selector;
import org.railyard.lnet.nid.Nid;

/** Plays the faults of a scenario at their times, and repairs them at theirs. */
final class FaultPlayer {
    private static final long FOREVER = -1;

    private final World world;
    private final Map<String, Rail> rails;
    private final Map<String, RailFabric> fabrics;
    private long lastChange;

    FaultPlayer(World world, Map<String, Rail> rails, Map<String, RailFabric> fabrics, List<Scenario.Fault> faults) {
        this.world = world;
        this.rails = new LinkedHashMap<>(rails);
        this.fabrics = new LinkedHashMap<>(fabrics);
        for (int i = 0; i < faults.size(); i++) {
            plan(faults.get(i), world.chance.of("fault", i));
        }
    }

    /** Returns when the last fault begins or is repaired, ns. */
    long lastChange() {
        return lastChange;
    }

    private void plan(Scenario.Fault fault, RandomGenerator random) {
        long at = fault.at().draw(random);
        for (int i = 0; i < fault.times(); i++) {
            long duration =
                    fault.duration() == null ? FOREVER : fault.duration().draw(random);
            Change change = change(fault.action(), random);
            world.queue.at(at, () -> begin(change));
            if (duration != FOREVER) {
                world.queue.at(at + duration, () -> repair(change));
            }
            lastChange = Math.max(lastChange, at + Math.max(0, duration));
            at += Math.max(Math.max(0, duration), fault.every().draw(random));
        }
    }

    private void begin(Change change) {
        world.journal.note(null, JournalKind.FAULT, change.text);
        change.begin.run();
    }

    private void repair(Change change) {
        world.journal.note(null, JournalKind.REPAIR, change.text);
        change.repair.run();
    }

    /** A fault with what the seed decided. */
    private record Change(String text, Runnable begin, Runnable repair) {}

    private Change change(FaultAction action, RandomGenerator random) {
        return switch (action) {
            case FaultAction.LinkDown down ->
                atDevices("link down: ", devices(down.nodes(), down.device(), random), SimDevice::link);
            case FaultAction.Unplug unplug ->
                atDevices("unplugged: ", devices(unplug.nodes(), unplug.device(), random), SimDevice::plug);
            case FaultAction.CardFails fails ->
                atDevices(
                        "cards fail: ",
                        devices(fails.nodes(), fails.device(), random),
                        (device, works) -> cards(device).work(device, works));
            case FaultAction.Degrade degrade ->
                atDevices(
                        "one lane left: ",
                        devices(degrade.nodes(), degrade.device(), random),
                        (device, all) -> cards(device).degrade(device, !all));
            case FaultAction.SwitchDown down -> switches(fabric(down.rail()), down, random);
            case FaultAction.CableDown down -> cables(fabric(down.rail()), down, random);
            case FaultAction.RailOutage outage -> {
                Rail rail = rail(outage.rail());
                yield new Change("rail outage: " + rail, () -> rail.outage(true), () -> rail.outage(false));
            }
            case FaultAction.OneWay wall -> oneWay(wall, random);
            case FaultAction.Reset reset -> {
                List<LabNode> from = Nodes.select(world.nodes, reset.from(), random);
                List<LabNode> to = Nodes.select(world.nodes, reset.to(), random);
                yield new Change(
                        "connections reset between " + names(from) + " and " + names(to),
                        () -> reset(from, to),
                        () -> {});
            }
            case FaultAction.LossModel model -> lossModel(model, random);
            case FaultAction.Slow slow -> {
                List<LabNode> nodes = Nodes.select(world.nodes, slow.nodes(), random);
                long delay = slow.delay().draw(random);
                yield new Change(
                        "slow by " + delay / 1000 + " us: " + names(nodes),
                        () -> nodes.forEach(node -> node.machine().slowDown(delay)),
                        () -> nodes.forEach(node -> node.machine().slowDown(0)));
            }
            case FaultAction.Kill kill -> {
                List<LabNode> nodes = Nodes.select(world.nodes, kill.nodes(), random);
                yield stop(kill.power() ? "killed: " : "crashed: ", nodes, node -> node.kill(kill.power()));
            }
            case FaultAction.Stop stop ->
                stop("stopped: ", Nodes.select(world.nodes, stop.nodes(), random), LabNode::close);
        };
    }

    private static Change switches(RailFabric fabric, FaultAction.SwitchDown down, RandomGenerator random) {
        List<Integer> switches = fabric.chooseSwitches(down.switches(), random);
        return new Change(
                "switches down: " + switches.stream().map(fabric::switchName).toList(),
                () -> fabric.setSwitches(switches, false),
                () -> fabric.setSwitches(switches, true));
    }

    private static Change cables(RailFabric fabric, FaultAction.CableDown down, RandomGenerator random) {
        List<Integer> cables = fabric.chooseCables(down.cables(), random);
        return new Change(
                "cables down: " + cables.stream().map(fabric::cableName).toList(),
                () -> fabric.setCables(cables, false),
                () -> fabric.setCables(cables, true));
    }

    /** A fault of devices that are told to be bad, and at the end to be good again. */
    private static Change atDevices(String what, List<SimDevice> devices, BiConsumer<SimDevice, Boolean> how) {
        return new Change(
                what + devices,
                () -> devices.forEach(device -> how.accept(device, false)),
                () -> devices.forEach(device -> how.accept(device, true)));
    }

    private static Change stop(String what, List<LabNode> nodes, Consumer<LabNode> how) {
        return new Change(
                what + names(nodes),
                () -> nodes.forEach(node -> {
                    node.hold(true);
                    how.accept(node);
                }),
                () -> nodes.forEach(node -> {
                    node.hold(false);
                    node.start();
                }));
    }

    private void reset(List<LabNode> some, List<LabNode> others) {
        for (LabNode one : some) {
            for (LabNode other : others) {
                for (Nid a : one.nids()) {
                    for (Nid b : other.nids()) {
                        world.network.reset(a, b);
                        world.network.reset(b, a);
                    }
                }
            }
        }
    }

    private Change oneWay(FaultAction.OneWay wall, RandomGenerator random) {
        List<LabNode> from = Nodes.select(world.nodes, wall.from(), random);
        List<LabNode> to = Nodes.select(world.nodes, wall.to(), random);
        List<SimMachine> sources = from.stream().map(LabNode::machine).toList();
        List<SimMachine> sinks = to.stream().map(LabNode::machine).toList();
        String rail = wall.rail();
        BiPredicate<SimDevice, SimDevice> blocked = (a, b) -> sources.contains(a.machine())
                && sinks.contains(b.machine())
                && (rail == null
                        || a.rail().name().equals(rail)
                        || b.rail().name().equals(rail));
        return new Change(
                "one way: nothing gets from " + names(from) + " to " + names(to) + (rail == null ? "" : " on " + rail),
                () -> world.network.block(blocked),
                () -> world.network.unblock(blocked));
    }

    private Change lossModel(FaultAction.LossModel model, RandomGenerator random) {
        Rail rail = rail(model.rail());
        RailSettings good = rail.settings();
        RailSettings changed = good;
        if (model.loss() != null) {
            changed = changed.withLoss(model.loss());
        }
        if (model.duplicate() != null) {
            changed = changed.withDuplication(model.duplicate());
        }
        if (model.latency() != null) {
            changed = changed.withLatency(model.latency().draw(random));
        }
        RailSettings bad = changed;
        return new Change("loss model: " + bad + " on " + rail, () -> rail.change(bad), () -> rail.change(good));
    }

    private List<SimDevice> devices(Selector nodes, String device, RandomGenerator random) {
        List<SimDevice> devices = new ArrayList<>();
        for (LabNode node : Nodes.select(world.nodes, nodes, random)) {
            devices.add(Objects.requireNonNull(node.machine().device(device), device));
        }
        return devices;
    }

    private static MachineCards cards(SimDevice device) {
        return Objects.requireNonNull(device.cards(), () -> device + " is no card");
    }

    private RailFabric fabric(String name) {
        return Objects.requireNonNull(fabrics.get(name), name);
    }

    private Rail rail(String name) {
        return Objects.requireNonNull(rails.get(name), name);
    }

    private static String names(List<LabNode> nodes) {
        return String.join(
                ", ", nodes.stream().map(node -> node.machine().name()).toList());
    }
}
