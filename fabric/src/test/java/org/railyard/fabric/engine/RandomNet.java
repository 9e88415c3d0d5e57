package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;

/** A connected fabric of any form by seed: a random tree with more cables, some parallel, hosts with few VLs. */
final class RandomNet {
    private static final int PORTS = 60;

    private RandomNet() {}

    static Fabric of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FabricBuilder builder = new FabricBuilder();
        int switches = random.nextInt(2, 24);
        List<NodeBuilder> nodes = new ArrayList<>();
        int[] used = new int[switches];
        int ca = 0;
        for (int sw = 0; sw < switches; sw++) {
            NodeBuilder node = builder.node(NodeType.SWITCH, 0x200000 + (sw * 7919L & 0xFFFF), PORTS, "S-" + sw);
            nodes.add(node);
            if (sw > 0) {
                connect(builder, nodes, used, sw, random.nextInt(sw));
            }
            for (int host = random.nextInt(4); host > 0; host--) {
                NodeBuilder end = builder.node(NodeType.CA, 0x100000 + 16L * ca++, 1, "H-" + ca);
                end.port(1).vlCap(random.nextInt(1, 5));
                builder.connect(end, 1, node, ++used[sw]);
            }
        }
        for (int more = random.nextInt(3 * switches); more > 0; more--) {
            int a = random.nextInt(switches);
            int b = random.nextInt(switches);
            if (a != b && used[a] < PORTS - 2 && used[b] < PORTS - 2) {
                connect(builder, nodes, used, a, b);
            }
        }
        return FreshLids.assign(builder.build(), Fabric.NONE);
    }

    private static void connect(FabricBuilder builder, List<NodeBuilder> nodes, int[] used, int a, int b) {
        builder.connect(nodes.get(a), ++used[a], nodes.get(b), ++used[b]);
    }
}
