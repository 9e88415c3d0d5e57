package org.railyard.lab.net;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.lab.engine.Chance;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimHost;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** Three machines with two rails each, on a wire that loses and repeats some frames. */
final class SimFixture implements LndFixture {
    private static final int NODES = 3;
    private static final long STEP_NANOS = 1_000_000_000L;
    private static final int PATIENCE_SECONDS = 10;
    private static final int LONG_PATIENCE_SECONDS = 400;

    private static final NetListener NOBODY = new NetListener() {
        @Override
        public void connected(Machine machine, Nid from, Nid to) {}

        @Override
        public void broken(Machine machine, Nid from, Nid to, BreakCause cause) {}

        @Override
        public void handedOver(Machine machine, Nid from, Nid to) {}

        @Override
        public void lost(Nid from, Nid to) {}

        @Override
        public void duplicate(Nid from, Nid to) {}
    };

    private final Net net;
    private final EventQueue queue = new EventQueue();
    private final Chance chance = new Chance(11);
    private final SimNetwork network = new SimNetwork(queue, chance.of("network", 0), NOBODY, new ArrayList<>());
    private final Map<List<Nid>, BiPredicate<Device, Device>> stalls = new LinkedHashMap<>();

    SimFixture(Net net) {
        this.net = net;
        RailSettings settings = new RailSettings(20_000, 30_000, 0, 0.01, 0.02);
        List<Rail> rails = List.of(network.addRail("blue", settings, false), network.addRail("green", settings, false));
        for (int node = 0; node < NODES; node++) {
            Machine machine = network.addMachine("node-" + node);
            for (int rail = 0; rail < rails.size(); rail++) {
                network.addDevice(machine, "eth" + rail, rails.get(rail), address(node, rail));
            }
        }
    }

    private static int address(int node, int rail) {
        return 10 << 24 | rail + 1 << 16 | node + 1;
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return switch (capability) {
            case NODES_APART, START_AND_STOP, ANSWER_LATER, STALL -> Optional.empty();
            case DEVICE_EVENTS, RESET ->
                Optional.of("what has left may have arrived, and the suite wants it to be given back as what has not;"
                        + " BreakingTest has this");
            case SEVERAL_THREADS -> Optional.of("a simulation has one thread");
            case LARGE_NIDS -> Optional.of("simulated devices have IPv4 addresses");
            case BULK_IN_PLACE -> Optional.of("the simulated wire takes a copy");
            case LONG_CHAINS ->
                Optional.of("a small message is complete inside send, and the stack above breaks chains");
        };
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        Machine machine = network.machines().get(node);
        network.kill(machine, true);
        network.power(machine);
        NetType type = net.type().orElseThrow();
        return SimLnd.provider(network, machine, type).create(stack, new SimHost(queue, chance.of("host", node), 0, 0));
    }

    @Override
    public Nid nid(int node, int rail) {
        return Nid.of(net, address(node, rail));
    }

    @Override
    public Nid nobody() {
        return Nid.of(net, address(NODES + 5, 0));
    }

    @Override
    public NiRequest withoutDevice() {
        return NiRequest.ofInterface(net, "eth9");
    }

    @Override
    public long timeoutNanos() {
        return 5 * STEP_NANOS;
    }

    @Override
    public long nanoTime() {
        return queue.now();
    }

    private boolean pass(BooleanSupplier condition, int seconds) {
        long until = queue.now() + seconds * STEP_NANOS;
        while (!condition.getAsBoolean()) {
            if (!queue.runNext(until)) {
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return pass(condition, PATIENCE_SECONDS);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return pass(condition, LONG_PATIENCE_SECONDS);
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        if (stalled) {
            BiPredicate<Device, Device> wall = (a, b) -> a == network.deviceOf(from) && b == network.deviceOf(to);
            stalls.put(List.of(from, to), wall);
            network.block(wall);
        } else {
            network.unblock(Objects.requireNonNull(stalls.remove(List.of(from, to))));
        }
    }

    @Override
    public void close() {
        network.machines().forEach(machine -> network.kill(machine, false));
    }
}
