package org.railyard.softverbs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

/** Machines with one card each on a torus, in virtual time. */
final class SmallWorld {
    /** A card that does everything. */
    static final DeviceAttributes EVERYTHING =
            DeviceAttributes.MLX4.withPorts(1).withAbilities(EnumSet.allOf(DeviceAttributes.Ability.class));

    private static final int FIRST_ADDRESS = 0x0A000001;

    private final VirtualTime time = new VirtualTime();
    private final Fabric model;
    private final SoftFabric fabric;
    private final List<SoftNode> nodes = new ArrayList<>();

    SmallWorld(
            SampleTorus plan, int machines, long seed, SoftSettings settings, FabricTrace trace, MemoryModel memory) {
        model = FreshLids.assign(plan.fabric(), Fabric.NONE);
        fabric = new SoftFabric(time, new SplittableRandom(seed), model, minHop(model), settings, trace);
        for (int i = 0; i < machines; i++) {
            SoftNode node = fabric.addNode("node" + i, memory);
            SoftDevice device = node.addDevice("mlx4_0", model.switchCount() + i, EVERYTHING);
            node.addInterface("ib0", FIRST_ADDRESS + i, device.ports().getFirst());
            nodes.add(node);
        }
    }

    /** Makes three machines in a row of switches. */
    static SmallWorld ofThree(long seed) {
        return ofThree(seed, Fidelity.MESSAGE);
    }

    /** Makes three machines in a row of switches, over which messages or packets travel. */
    static SmallWorld ofThree(long seed, Fidelity fidelity) {
        return new SmallWorld(
                SampleTorus.torus(3, 1, 1, 1),
                3,
                seed,
                SoftSettings.DEFAULT.withFidelity(fidelity),
                FabricTrace.NONE,
                MemoryModel.SCATTERED);
    }

    static Routing minHop(Fabric fabric) {
        return (Routing) new MinHopEngine().route(fabric, EngineOptions.DEFAULT);
    }

    VirtualTime time() {
        return time;
    }

    Fabric model() {
        return model;
    }

    SoftFabric fabric() {
        return fabric;
    }

    SoftNode node(int number) {
        return nodes.get(number);
    }

    SoftDevice device(int number) {
        return (SoftDevice) nodes.get(number).devices().getFirst();
    }

    SoftPort port(int number) {
        return device(number).ports().getFirst();
    }

    static CmAddress address(int number, int port) {
        return new CmAddress(FIRST_ADDRESS + number, port);
    }
}
