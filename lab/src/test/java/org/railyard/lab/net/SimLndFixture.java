package org.railyard.lab.net;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimHost;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** Three machines with two devices each on the simulated network, in virtual time. */
final class SimLndFixture implements LndFixture {
    private static final int MACHINES = 3;
    private static final int RAILS = 2;
    private static final int FIRST_ADDRESS = 0x0A000001;
    private static final long SECOND = 1_000_000_000L;

    /** The limit of the network for a message whose stack sets none. */
    private static final long TIMEOUT_NANOS = 50 * SECOND;

    /** Longer than anything takes that happens by itself, shorter than any limit. */
    private static final long AWAIT_NANOS = 10 * SECOND;

    private static final long ELAPSE_NANOS = 3600 * SECOND;
    private static final long STEP_NANOS = 10_000_000;

    private static final Map<Capability, String> LACKS = new EnumMap<>(Map.of(
            Capability.SEVERAL_THREADS, "a run in virtual time has one thread",
            Capability.LONG_CHAINS, "a small message is complete within its send; it is the stack that takes turns",
            Capability.LARGE_NIDS, "simulated devices have addresses of four bytes",
            Capability.BULK_IN_PLACE, "a frame holds a copy of the payload",
            Capability.FREED_MEMORY, "the loads of scenarios free nothing that is under way",
            Capability.RESET, "connections break only when a node, a link or a path fails",
            Capability.TUNABLES, "NIs have no tunables of their own"));

    private final NetType type;
    private final EventQueue queue = new EventQueue();
    private final SimNetwork network;
    private final List<Rail> rails = new ArrayList<>();
    private final Map<String, BiPredicate<SimDevice, SimDevice>> walls = new LinkedHashMap<>();

    /** Makes a network whose rails lose and repeat frames now and then. */
    SimLndFixture(NetType type, double loss, double duplication) {
        this.type = type;
        this.network = new SimNetwork(queue, new SplittableRandom(1), new Deaf(), new ArrayList<>());
        RailSettings settings = RailSettings.DEFAULT.withLoss(loss).withDuplication(duplication);
        for (int rail = 0; rail < RAILS; rail++) {
            rails.add(network.addRail("rail" + rail, settings, true));
        }
        for (int node = 0; node < MACHINES; node++) {
            SimMachine machine = network.addMachine("node" + node);
            for (int rail = 0; rail < RAILS; rail++) {
                network.addDevice(machine, "eth" + rail, rails.get(rail), address(node, rail));
            }
        }
    }

    private static int address(int node, int rail) {
        return FIRST_ADDRESS + node + (rail << 8);
    }

    private SimDevice device(int node, int rail) {
        return network.machines().get(node).devices().get(rail);
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return Optional.ofNullable(LACKS.get(capability));
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        SimMachine machine = network.machines().get(node);
        network.power(machine);
        SimHost host = new SimHost(queue, new SplittableRandom(node), 0, 0);
        return SimLnd.provider(network, machine, type).create(stack, host);
    }

    @Override
    public Nid nid(int node, int rail) {
        return Nid.of(net(), address(node, rail));
    }

    private Net net() {
        return Net.parse(type == NetType.TCP ? "tcp" : "o2ib");
    }

    @Override
    public Nid nobody() {
        return Nid.of(net(), address(MACHINES, 0));
    }

    @Override
    public NiRequest withoutDevice() {
        return NiRequest.ofInterface(net(), "eth9");
    }

    @Override
    public long timeoutNanos() {
        return TIMEOUT_NANOS;
    }

    @Override
    public long nanoTime() {
        return queue.now();
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return run(condition, AWAIT_NANOS);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return run(condition, ELAPSE_NANOS);
    }

    private boolean run(BooleanSupplier condition, long limit) {
        long end = queue.now() + limit;
        while (!condition.getAsBoolean()) {
            if (queue.now() >= end) {
                return false;
            }
            queue.runNext(Math.min(end, queue.now() + STEP_NANOS));
        }
        return true;
    }

    @Override
    public void device(int node, int rail, boolean up) {
        device(node, rail).link(up);
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        String way = from + " " + to;
        if (stalled) {
            BiPredicate<SimDevice, SimDevice> wall =
                    (one, other) -> one.address() == (int) from.nid4() && other.address() == (int) to.nid4();
            walls.put(way, wall);
            network.block(wall);
        } else {
            BiPredicate<SimDevice, SimDevice> wall = walls.remove(way);
            if (wall != null) {
                network.unblock(wall);
            }
        }
    }

    @Override
    public void close() {
        // Nothing runs when nobody runs the queue.
    }

    /** Wants to know nothing. */
    private static final class Deaf implements NetListener {
        @Override
        public void connected(SimMachine machine, Nid from, Nid to) {}

        @Override
        public void broken(SimMachine machine, Nid from, Nid to, BreakCause cause) {}

        @Override
        public void lost(Nid from, Nid to) {}

        @Override
        public void duplicate(Nid from, Nid to) {}
    }
}
