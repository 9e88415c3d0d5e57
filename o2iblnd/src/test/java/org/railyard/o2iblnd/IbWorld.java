package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.railyard.conformance.TestNi;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.SoftFabric;
import org.railyard.softverbs.SoftNode;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

/** Three machines with some cards each, two unless said otherwise, on a simulated fabric. */
final class IbWorld {
    static final int MACHINES = 3;
    static final int RAILS = 2;
    static final long SECOND = 1_000_000_000L;
    private static final int PREFIX = 24;
    private static final int FIRST_ADDRESS = 0x0A000001;

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random = new SplittableRandom(1);
    private final SoftFabric fabric;
    private final Routing routing;
    private final Map<String, Integer> events = new HashMap<>();
    private final List<SoftNode> nodes = new ArrayList<>();
    private final List<SoftDevice> devices = new ArrayList<>();
    private final int rails;
    private long starts;

    /** Makes the world; cards wait so long for acknowledgements, ns. */
    IbWorld(long ackTimeout) {
        this(ackTimeout, RAILS);
    }

    /** Makes a world with so many cards in each machine. */
    IbWorld(long ackTimeout, int rails) {
        this(ackTimeout, rails, DeviceAttributes.MLX5, MemoryModel.SCATTERED);
    }

    /** Makes a world with other cards and memory. */
    IbWorld(long ackTimeout, int rails, DeviceAttributes card, MemoryModel memory) {
        this(SoftSettings.DEFAULT.withAckTimeout(ackTimeout), rails, card, memory);
    }

    /** Makes a world with a fabric of its own kind. */
    IbWorld(SoftSettings settings, int rails, DeviceAttributes card, MemoryModel memory) {
        this.rails = rails;
        Fabric model = FreshLids.assign(SampleTorus.torus(3, 1, 1, rails).fabric(), Fabric.NONE);
        Routing routing = (Routing) new MinHopEngine().route(model, EngineOptions.DEFAULT);
        this.routing = routing;
        FabricTrace counting = (_, what, _, _, _) -> events.merge(what, 1, Integer::sum);
        fabric = new SoftFabric(time, random, model, routing, settings, counting);
        for (int machine = 0; machine < MACHINES; machine++) {
            SoftNode node = fabric.addNode("node" + machine, memory);
            for (int rail = 0; rail < rails; rail++) {
                SoftDevice device = node.addDevice("mlx5_" + rail, model.switchCount() + machine * rails + rail, card);
                node.addInterface(
                        "ib" + rail, address(machine, rail), device.ports().getFirst());
                devices.add(device);
            }
            nodes.add(node);
        }
    }

    static int address(int machine, int rail) {
        return FIRST_ADDRESS + machine + (rail << 8);
    }

    static Nid nid(int machine, int rail) {
        return Nid.of(Net.parse("o2ib"), address(machine, rail));
    }

    /** Returns how often something has happened on the fabric. */
    int count(String what) {
        return events.getOrDefault(what, 0);
    }

    /** Routes the fabric anew, with other SLs. */
    void reroute(PathSls sls) {
        fabric.reroute(new Routing(
                routing.engine(), routing.forwarding(), sls, routing.slToVl(), routing.multicast(), List.of()));
    }

    VirtualTime time() {
        return time;
    }

    SoftFabric fabric() {
        return fabric;
    }

    SoftNode node(int machine) {
        return nodes.get(machine);
    }

    SoftDevice device(int machine, int rail) {
        return devices.get(machine * rails + rail);
    }

    SoftPort port(int machine, int rail) {
        return device(machine, rail).ports().getFirst();
    }

    static int machine(Nid nid) {
        return (int) nid.nid4() - FIRST_ADDRESS & 0xFF;
    }

    static int rail(Nid nid) {
        return (int) nid.nid4() - FIRST_ADDRESS >> 8;
    }

    /** Starts a transport; each start has another wall-clock time. */
    O2ibLnd start(int machine, LndUpcalls stack, Tunables tunables) {
        return start(machine, stack, tunables, new Targets());
    }

    /** Starts a transport that knows targets. */
    O2ibLnd start(int machine, LndUpcalls stack, Tunables tunables, Targets targets) {
        VirtualHost host = new VirtualHost(time, random, 1_000_000_000_000_000L + starts++ * SECOND);
        return new O2ibLnd(stack, host, nodes.get(machine), tunables, targets, ip -> PREFIX);
    }

    /** Returns the NI of a rail, with default tunables. */
    static TestNi ni(int machine, int rail) {
        return new TestNi(nid(machine, rail), "ib" + rail, Map.of());
    }

    /** Returns the NI of a group of the first so many interfaces. */
    static TestNi group(int machine, int members, Map<String, Integer> tunables) {
        String names = IntStream.range(0, members).mapToObj(i -> "ib" + i).collect(Collectors.joining(","));
        return new TestNi(nid(machine, 0), names, tunables);
    }
}
