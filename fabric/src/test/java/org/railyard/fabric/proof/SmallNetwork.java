package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** A few switches and hosts, cabled by chance, and tables for them: good ones, and rubbish. */
final class SmallNetwork {
    private static final int PORTS = 8;

    private final SplittableRandom random;
    private final Fabric fabric;

    SmallNetwork(SplittableRandom random, int switches, int hosts) {
        this(random, switches, hosts, random.nextInt(4) / 3);
    }

    /**
     * Makes one in which all switches are connected.
     *
     * @param lmc of the hosts
     */
    SmallNetwork(SplittableRandom random, int switches, int hosts, int lmc) {
        this.random = random;
        FabricBuilder builder = new FabricBuilder();
        List<FabricBuilder.NodeBuilder> nodes = new ArrayList<>();
        int[] free = new int[switches];
        Arrays.fill(free, 1);
        for (int sw = 0; sw < switches; sw++) {
            nodes.add(builder.node(NodeType.SWITCH, 0x100L + sw, PORTS, "S-" + sw));
        }
        for (int sw = 1; sw < switches; sw++) {
            connect(builder, nodes, free, sw, random.nextInt(sw));
        }
        for (int i = random.nextInt(switches); i >= 0; i--) {
            int sw = random.nextInt(switches);
            connect(builder, nodes, free, sw, (sw + 1 + random.nextInt(switches - 1)) % switches);
        }
        for (int host = 0; host < hosts; host++) {
            int sw = random.nextInt(switches);
            if (free[sw] <= PORTS) {
                FabricBuilder.NodeBuilder node = builder.node(NodeType.CA, 0x1000L + host, 1, "H-" + host);
                builder.connect(nodes.get(sw), port(sw, free[sw]++), node, 1);
            }
        }
        fabric = FreshLids.assign(builder.build(), Fabric.NONE, lmc);
    }

    private void connect(FabricBuilder builder, List<FabricBuilder.NodeBuilder> nodes, int[] free, int one, int other) {
        // Now and then a port stays empty.
        free[one] += random.nextInt(4) / 3;
        if (free[one] <= PORTS && free[other] <= PORTS) {
            builder.connect(nodes.get(one), port(one, free[one]++), nodes.get(other), port(other, free[other]++));
        }
    }

    /** Every other switch has its first cables in its last ports. */
    private static int port(int sw, int cable) {
        return sw % 2 == 0 ? cable : PORTS + 1 - cable;
    }

    Fabric fabric() {
        return fabric;
    }

    /** Returns how many cables lead from each switch to one, each for the first of a LID's ports; −1 if none do. */
    private int[] distances(int to) {
        int[] distances = new int[fabric.switchCount()];
        Arrays.fill(distances, -1);
        distances[to] = 0;
        int[] queue = new int[distances.length];
        queue[0] = to;
        for (int head = 0, tail = 1; head < tail; head++) {
            for (int port = 1; port <= fabric.ports(queue[head]); port++) {
                int next = behind(queue[head], port);
                if (next >= 0 && distances[next] < 0) {
                    distances[next] = distances[queue[head]] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return distances;
    }

    /** Returns the switch behind a port, negative if there is none. */
    int behind(int sw, int port) {
        int peer = fabric.peer(fabric.portIndex(sw, port));
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) ? fabric.nodeOf(peer) : -1;
    }

    /** Returns entries of shortest ways, among several by chance, of which some are changed into others. */
    byte[][] rows(int changes) {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int lid = 0; lid <= fabric.maxLid(); lid++) {
            int end = lid == 0 ? Fabric.NONE : fabric.portOfLid(lid);
            int[] distances = end == Fabric.NONE ? null : distances(fabric.switchOf(end));
            for (int sw = 0; sw < rows.length; sw++) {
                rows[sw][lid] = (byte) (distances == null ? ForwardingTables.NO_PATH : entry(sw, distances, end));
            }
        }
        for (int i = 0; i < changes; i++) {
            byte[] row = rows[random.nextInt(rows.length)];
            row[random.nextInt(row.length)] = (byte) (random.nextInt(9) == 0 ? 0xFF : random.nextInt(PORTS + 2));
        }
        return rows;
    }

    private int entry(int sw, int[] distances, int end) {
        if (distances[sw] == 0) {
            return fabric.switchPortOf(end);
        }
        List<Integer> ports = new ArrayList<>();
        for (int port = 1; port <= PORTS; port++) {
            int next = behind(sw, port);
            if (next >= 0 && distances[next] >= 0 && distances[next] < distances[sw]) {
                ports.add(port);
            }
        }
        return ports.isEmpty() ? ForwardingTables.NO_PATH : ports.get(random.nextInt(ports.size()));
    }

    /** Returns entries of ways along a tree, one of many: no credit loop is possible on any VLs. */
    byte[][] treeRows() {
        int[] part = new int[fabric.switchCount()];
        Arrays.setAll(part, i -> i);
        boolean[] inTree = new boolean[fabric.portCount()];
        for (int i = 0; i < 50 * part.length; i++) {
            int sw = random.nextInt(part.length);
            int out = 1 + random.nextInt(PORTS);
            int to = behind(sw, out);
            if (to >= 0 && part[sw] != part[to]) {
                int merged = part[to];
                int into = part[sw];
                Arrays.setAll(part, each -> part[each] == merged ? into : part[each]);
                inTree[fabric.portIndex(sw, out)] = true;
                inTree[fabric.peer(fabric.portIndex(sw, out))] = true;
            }
        }
        byte[][] rows = new byte[part.length][fabric.maxLid() + 1];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
        }
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int end = fabric.portOfLid(lid);
            if (end != Fabric.NONE) {
                rows[fabric.switchOf(end)][lid] = (byte) fabric.switchPortOf(end);
                lead(rows, lid, fabric.switchOf(end), Fabric.NONE, inTree);
            }
        }
        return rows;
    }

    /** Lets the switches behind one lead to it, and so on. */
    private void lead(byte[][] rows, int lid, int sw, int from, boolean[] inTree) {
        for (int port = 1; port <= PORTS; port++) {
            int to = behind(sw, port);
            if (inTree[fabric.portIndex(sw, port)] && to != from) {
                rows[to][lid] = (byte) fabric.portNumber(fabric.peer(fabric.portIndex(sw, port)));
                lead(rows, lid, to, sw, inTree);
            }
        }
    }

    /** Returns tables with these parts, without multicast. */
    static Routing routing(byte[][] rows, PathSls sls, SlToVl slToVl) {
        return new Routing("chance", new ForwardingTables(rows), sls, slToVl, MulticastTables.NONE, List.of());
    }

    /** Returns SLs by LID: some classes, on one level or two; now and then none for some pairs. */
    PathSls sls(boolean missing) {
        int levels = 1 + random.nextInt(2);
        int modulus = 1 + random.nextInt(6);
        int seed = random.nextInt(1000);
        int gap = missing ? random.nextInt(4) : -1;
        int classes = fabric.maxLid() + 2;
        // A LID without class can neither send nor receive.
        int together = random.nextInt(3) == 0 ? classes : 1 + random.nextInt(3);
        int outside = missing && random.nextInt(3) == 0 ? random.nextInt(classes) : -1;
        IntUnaryOperator classOf = lid -> {
            // All LIDs of a port are one class.
            int port = fabric.portOfLid(lid);
            int base = port == Fabric.NONE ? Math.min(lid, classes - 1) : fabric.lid(port);
            return base == outside ? -1 : base % together;
        };
        return new RuledSls(
                levels,
                classes,
                classOf,
                (from, to, level) ->
                        from == gap && (to & 1) == 0 ? PathSls.NO_SL : (from * 7 + to * seed) % modulus + 8 * level);
    }

    /** Returns VLs by input, output and SL, as many as wanted; now and then dropped. */
    SlToVl vls(int count, boolean drops) {
        int seed = random.nextInt(1000);
        int kind = random.nextInt(3);
        int dropped = drops ? random.nextInt(64) : -1;
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                long table = 0;
                for (int sl = 0; sl < 16; sl++) {
                    boolean drop = dropped == (switchIndex * 5 + in * 3 + out + sl + seed) % 64;
                    int vl = (sl + (kind == 0 ? 0 : in * seed) + (kind == 2 ? out : 0)) % count;
                    table |= (long) (drop ? DROP : vl) << 4 * sl;
                }
                return table;
            }

            @Override
            public long endTable(int endPort) {
                return ALL_ZERO;
            }
        };
    }
}
