package org.railyard.lab.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sim.LinkRate;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.net.SimMachine;
import org.railyard.lab.net.SimNetwork;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.softverbs.SoftFabric;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.net.FabricPort;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.MemorySource;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * The fabric behind a rail. Devices get the places for cards in the order in which they are attached. Belongs to the
 * thread of its run.
 */
public final class RailFabric {
    private static final int HOST_PORT = 1;
    private static final double MIB = 1 << 20;
    private static final double MILLI = 1e6;
    private static final double MICRO = 1e3;
    private static final double PERCENT = 100;

    private final Fabric model;
    private final SoftFabric fabric;
    private final SimSubnetManager manager;
    private final LinkStates links;
    private final Map<SimMachine, HostCards> hosts = new LinkedHashMap<>();
    private final Map<SoftPort, SimDevice> devices = new LinkedHashMap<>();

    /** At which addresses the machines are reached, for NIs that are groups: the same for all. */
    private final Targets targets = new Targets();

    /**
     * Makes the fabric.
     *
     * @param queue its time
     * @param random its chance
     * @param settings what it is
     * @param network knows between which devices nothing passes, and whether references may stand for payloads
     * @param journal is told of new tables
     */
    public RailFabric(
            EventQueue queue,
            RandomGenerator random,
            TorusSettings settings,
            SimNetwork network,
            Consumer<String> journal) {
        TorusRouting torus = TorusRouting.of(settings);
        model = torus.whole();
        fabric = new SoftFabric(
                new QueueTimeline(queue), random, model, torus.first(), settings.ofFabric(), FabricTrace.NONE);
        fabric.setLossModel((from, to) -> network.loses(deviceAt(from), deviceAt(to)));
        if (network.storesReferences()) {
            fabric.setMover(new PayloadMover());
        }
        links = new LinkStates(model, fabric);
        manager = new SimSubnetManager(queue, torus, settings.sweepNanos(), fabric, links, journal);
    }

    /**
     * Gives a device the next place for a card.
     *
     * @throws IllegalStateException if there is none left
     */
    public void attach(SimMachine machine, SimDevice device) {
        int node = model.switchCount() + devices.size();
        if (node >= model.nodeCount()) {
            throw new IllegalStateException(device + " has no place: the fabric has " + devices.size() + " cards");
        }
        HostCards cards = hosts.get(machine);
        if (cards == null) {
            cards = new HostCards(this, fabric.addNode(machine.name(), MemoryModel.SCATTERED));
            hosts.put(machine, cards);
            machine.setCards(cards);
        }
        SoftDevice card = cards.node().addDevice("card-" + device.name(), node, DeviceAttributes.MLX5);
        SoftPort port = card.ports().getFirst();
        cards.node().addInterface(device.name(), device.address(), port);
        devices.put(port, device);
        cards.add(device, port);
        targets.put(cards.target());
        device.attach(cards);
    }

    /** Sets where cards that are opened from now on have memory for messages from. */
    public void setMemorySource(MemorySource source) {
        fabric.setMemorySource(source);
    }

    /** Lets somebody hear, with names, of the first deadlock; there is none where messages travel. */
    public void onDeadlock(Consumer<String> listener) {
        fabric.onDeadlock(deadlock -> listener.accept(deadlock.text(model)));
    }

    /**
     * Returns what links had to carry, where packets travel: the busiest one, and the one that stood longest without
     * credits.
     *
     * @param nanos how long the run was
     */
    public Optional<String> report(long nanos) {
        return fabric.figures().map(figures -> {
            int busiest = 0;
            int blocked = 0;
            for (int port = 1; port < model.portCount(); port++) {
                busiest = figures.bytes(port) > figures.bytes(busiest) ? port : busiest;
                blocked = figures.waitedNanos(port) > figures.waitedNanos(blocked) ? port : blocked;
            }
            double capacity = nanos * LinkRate.bytesPerNano(model.width(busiest), model.speed(busiest));
            return String.format(
                    Locale.ROOT,
                    "busiest link %s: %.1f MiB, %.1f %% of what it could carry; longest without credits %s: %.3f ms; "
                            + "longest wait of a packet %.1f us",
                    linkName(busiest),
                    figures.bytes(busiest) / MIB,
                    PERCENT * figures.bytes(busiest) / capacity,
                    linkName(blocked),
                    figures.waitedNanos(blocked) / MILLI,
                    figures.longestWaitNanos() / MICRO);
        });
    }

    private String linkName(int port) {
        int far = model.cable(port);
        return model.portName(port) + (far == Fabric.NONE ? "" : "->" + model.portName(far));
    }

    private SimDevice deviceAt(FabricPort port) {
        SimDevice device = devices.get(port);
        if (device == null) {
            throw new IllegalStateException(port + " is of no device");
        }
        return device;
    }

    Targets targets() {
        return targets;
    }

    void breakConnections(SoftPort one, SoftPort other) {
        fabric.breakConnections(one, other);
    }

    /** The link of a card goes on with one lane, or with all. */
    void setLanes(SoftPort port, boolean one) {
        int lanes = one ? 1 : model.width(port.fabricPort());
        fabric.setRate(port.fabricPort(), lanes, model.speed(port.fabricPort()));
    }

    /** The link of a card goes down or comes up, for one of possibly several reasons. */
    void link(SoftPort port, boolean up) {
        links.ofPort(port.fabricPort(), up);
        manager.changed();
    }

    /** Chooses switches, all different. */
    public List<Integer> chooseSwitches(int count, RandomGenerator random) {
        List<Integer> all = new ArrayList<>();
        for (int node = 0; node < model.switchCount(); node++) {
            all.add(node);
        }
        return choose(all, count, random);
    }

    /** Chooses cables between switches, all different, by one of their ports. */
    public List<Integer> chooseCables(int count, RandomGenerator random) {
        List<Integer> all = new ArrayList<>();
        for (int node = 0; node < model.switchCount(); node++) {
            for (int number = HOST_PORT; number <= model.ports(node); number++) {
                int port = model.portIndex(node, number);
                int other = model.cable(port);
                if (other > port && model.isSwitch(model.nodeOf(other))) {
                    all.add(port);
                }
            }
        }
        return choose(all, count, random);
    }

    private static List<Integer> choose(List<Integer> all, int count, RandomGenerator random) {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < count && !all.isEmpty(); i++) {
            chosen.add(all.remove(/* index */ random.nextInt(all.size())));
        }
        return chosen;
    }

    /** Returns the name of a switch. */
    public String switchName(int node) {
        return model.description(node);
    }

    /** Returns the name of a cable, by one of its ports. */
    public String cableName(int port) {
        return model.description(model.nodeOf(port)) + "–" + model.description(model.nodeOf(model.cable(port)));
    }

    /** Takes switches out, or puts them back. */
    public void setSwitches(List<Integer> nodes, boolean up) {
        nodes.forEach(node -> links.ofSwitch(node, up));
        manager.changed();
    }

    /** Takes cables out, or puts them back. */
    public void setCables(List<Integer> ports, boolean up) {
        ports.forEach(port -> links.ofPort(port, up));
        manager.changed();
    }
}
