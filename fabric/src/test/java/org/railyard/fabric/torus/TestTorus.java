package org.railyard.fabric.torus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.torus.conf.SeedLink;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusSeed;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Makes fabrics that are cabled as a torus: hosts on the first ports, then the cables in the order −x, +x, −y … Switch
 * GUIDs are given by position, optionally permuted.
 */
public final class TestTorus {
    static final long SWITCH_GUID = 0x200000;
    static final long HOST_GUID = 0x100000;

    private final TorusShape shape;
    private int hosts = 1;
    private int cables = 1;
    private int lmc;
    private int vlCap = 4;
    private final Map<Integer, Integer> vlCaps = new HashMap<>();
    private final Set<Integer> missing = new HashSet<>();
    private final Map<Long, Integer> brokenCables = new HashMap<>();
    private final Map<Long, Integer> narrow = new HashMap<>();
    private long[] guids;

    public TestTorus(TorusShape shape) {
        this.shape = shape;
        this.guids = new long[shape.positions()];
        for (int position = 0; position < guids.length; position++) {
            guids[position] = SWITCH_GUID + position;
        }
    }

    TestTorus hosts(int hosts) {
        this.hosts = hosts;
        return this;
    }

    public TestTorus cables(int cables) {
        this.cables = cables;
        return this;
    }

    TestTorus lmc(int lmc) {
        this.lmc = lmc;
        return this;
    }

    TestTorus vlCap(int vlCap) {
        this.vlCap = vlCap;
        return this;
    }

    /** Lets all ports of one switch offer so many VLs, coded like VLCap. */
    TestTorus vlCapOf(int position, int vlCap) {
        vlCaps.put(position, vlCap);
        return this;
    }

    /** Lets the first port at the start of a positive group run with so many VLs, coded like OperVLs. */
    TestTorus narrow(int position, int group, int operVls) {
        return narrow(position, group, 0, operVls);
    }

    /** The same of one of several ports. */
    TestTorus narrow(int position, int group, int cable, int operVls) {
        narrow.put(key(position, group) << 8 | cable, operVls);
        return this;
    }

    public TestTorus without(int position) {
        missing.add(position);
        return this;
    }

    /** Takes {@code count} cables out of a positive group. */
    public TestTorus withoutCables(int position, int group, int count) {
        brokenCables.put(key(position, group), count);
        return this;
    }

    public TestTorus permuted(RandomGenerator random) {
        for (int i = guids.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long guid = guids[i];
            guids[i] = guids[j];
            guids[j] = guid;
        }
        return this;
    }

    public long guid(int position) {
        return guids[position];
    }

    private static long key(int position, int group) {
        return (long) position << 3 | group;
    }

    /** Returns the seed at {@code position}: a plus link in each dimension, and a minus link where the radix is 4. */
    public TorusSeed seed(int position) {
        TreeMap<Integer, SeedLink> links = new TreeMap<>();
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            int plus = shape.step(position, TorusGroup.plus(d));
            int minus = shape.step(position, TorusGroup.minus(d));
            if (plus >= 0) {
                links.put(TorusGroup.plus(d), new SeedLink(guid(position), guid(plus)));
            }
            if (minus >= 0 && (plus < 0 || shape.radix(d) == 4)) {
                links.put(TorusGroup.minus(d), new SeedLink(guid(position), guid(minus)));
            }
        }
        return new TorusSeed(
                links, -shape.coordinate(position, 0), -shape.coordinate(position, 1), -shape.coordinate(position, 2));
    }

    TorusConf conf() {
        return conf(0);
    }

    public TorusConf conf(int seedPosition) {
        return new TorusConf(shape, List.of(seed(seedPosition)), 255, List.of(), 32);
    }

    public Fabric fabric() {
        FabricBuilder builder = new FabricBuilder();
        List<NodeBuilder> switches = new ArrayList<>();
        int ports = hosts + 2 * TorusShape.DIMENSIONS * cables;
        int lid = 1;
        for (int position = 0; position < shape.positions(); position++) {
            NodeBuilder node = builder.node(NodeType.SWITCH, guids[position], ports, "S" + shape.name(position));
            switches.add(node);
            for (int port = 1; port <= ports; port++) {
                node.port(port).vlCap(vlCaps.getOrDefault(position, vlCap));
            }
            if (missing.contains(position)) {
                continue;
            }
            node.port(0).lid(lid++, 0);
            for (int host = 1; host <= hosts; host++) {
                NodeBuilder end = builder.node(
                        NodeType.CA, HOST_GUID + 0x1000000L * host + position * 16L, 1, "H" + shape.name(position));
                lid = (lid + (1 << lmc) - 1) >> lmc << lmc;
                end.port(1).lid(lid, lmc).vlCap(vlCap);
                lid += 1 << lmc;
                builder.connect(node, host, end, 1);
            }
        }
        for (int position = 0; position < shape.positions(); position++) {
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int next = shape.step(position, TorusGroup.plus(d));
                if (next < 0 || missing.contains(position) || missing.contains(next)) {
                    continue;
                }
                int broken = brokenCables.getOrDefault(key(position, TorusGroup.plus(d)), 0);
                for (int cable = broken; cable < cables; cable++) {
                    Integer operVls = narrow.get(key(position, TorusGroup.plus(d)) << 8 | cable);
                    if (operVls != null) {
                        switches.get(position)
                                .port(port(TorusGroup.plus(d), cable))
                                .operVls(operVls);
                    }
                    builder.connect(
                            switches.get(position),
                            port(TorusGroup.plus(d), cable),
                            switches.get(next),
                            port(TorusGroup.minus(d), cable));
                }
            }
        }
        return builder.build();
    }

    int port(int group, int cable) {
        return hosts + 1 + group * cables + cable;
    }
}
