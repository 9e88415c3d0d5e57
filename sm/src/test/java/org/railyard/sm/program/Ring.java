package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.sm.model.PartitionKeys;
import org.railyard.sm.subnet.ManagedNode;

/**
 * Three switches in a ring with a host each, the first one with an enhanced port 0, of which tests say what they hold
 * and what they shall. Packets to a neighbour go straight to it, or {@linkplain #round round} by the third one: if
 * those to all three do that, they can wait for each other for ever.
 */
final class Ring {
    static final int SWITCHES = 3;

    /** Ports of a switch: more than one column of multicast masks. */
    static final int PORTS = 18;

    /** The first port. */
    static final int NEXT = 1;

    /** The last port. */
    static final int BACK = PORTS;

    static final int HOST = 3;
    static final int FREE = 4;
    static final int NO_PATH = ForwardingTables.NO_PATH;

    static final int LIFE_TIME = 18;
    static final long GID_PREFIX = 0xFE80000000000001L;
    static final int SUBNET_TIMEOUT = 17;
    static final int HOQ_SWITCH = 15;
    static final int HOQ_END = 14;
    static final int VLS = 4;

    /** P_Keys that a port has space for. */
    static final int KEYS = 32;

    static final int MTU = 5;
    private static final int SWITCH_LID = 70;

    /** What switches shall hold; of a LID that nobody has nothing. */
    final byte[][] wanted;

    /** What switches hold. */
    final byte[][] held;

    Fabric fabric;
    final List<ManagedNode> nodes = new ArrayList<>();
    PathSls sls = PathSls.constant(0);
    SlToVl slToVl = SlToVl.uniform(SlToVl.ALL_ZERO);
    MulticastTables multicast = MulticastTables.NONE;
    PartitionKeys keys = PartitionKeys.DEFAULT;
    PartitionEnforcement enforcement = PartitionEnforcement.OFF;
    ManagementKey key = ManagementKey.NONE;
    VlArbTable weights = VlArbTable.DEFAULT_HIGH;

    /** What was routed before; null if that is not known. */
    @Nullable
    Routing before;

    /** Makes one whose links are all active. */
    Ring() {
        this(0);
    }

    /** Makes one whose hosts have 2^{@code lmc} LIDs each. */
    Ring(int lmc) {
        this(ring(lmc));
    }

    /** Makes it of any fabric, maybe no ring. */
    Ring(Fabric fabric) {
        this.fabric = fabric;
        for (int node = 0; node < fabric.nodeCount(); node++) {
            nodes.add(node(node));
        }
        wanted = straight();
        held = straight();
    }

    private static Fabric ring(int lmc) {
        FabricBuilder builder = new FabricBuilder();
        List<FabricBuilder.NodeBuilder> made = new ArrayList<>();
        for (int sw = 0; sw < SWITCHES; sw++) {
            made.add(builder.node(NodeType.SWITCH, 0x10 + sw, PORTS, "S-" + sw));
            made.getLast().port(0).lid(SWITCH_LID + sw, 0);
        }
        made.getFirst().enhancedPort0(true);
        for (int sw = 0; sw < SWITCHES; sw++) {
            builder.connect(made.get(sw), NEXT, made.get((sw + 1) % SWITCHES), BACK);
            FabricBuilder.NodeBuilder host = builder.node(NodeType.CA, 0x20 + sw, 1, "H-" + sw);
            builder.connect(made.get(sw), HOST, host, 1);
            host.port(1).lid(lid(sw) << lmc, lmc);
        }
        return builder.build();
    }

    /** Returns the LID of the host at a switch. */
    static int lid(int sw) {
        return 1 + sw;
    }

    private ManagedNode node(int index) {
        boolean isSwitch = fabric.isSwitch(index);
        ManagedNode node = new ManagedNode(NodeInfo.TYPE
                .create()
                .set(NodeInfo.NODE_TYPE, isSwitch ? NodeInfo.SWITCH : NodeInfo.CA)
                .set(NodeInfo.NODE_GUID, fabric.guid(index))
                .set(NodeInfo.PARTITION_CAP, KEYS)
                .set(NodeInfo.NUM_PORTS, fabric.ports(index)));
        node.description(fabric.description(index));
        for (int port = isSwitch ? 0 : 1; port <= fabric.ports(index); port++) {
            node.path(port, DirectedPath.OWN_NODE);
            boolean linked = fabric.peer(fabric.portIndex(index, port)) != Fabric.NONE;
            PortState state = linked ? PortState.ACTIVE : PortState.DOWN;
            node.port(
                    port,
                    PortInfo.TYPE
                            .create()
                            .set(PortInfo.LID, fabric.lid(fabric.portIndex(index, port)))
                            .set(PortInfo.STATE, state.code())
                            .set(PortInfo.MTU_CAP, MTU)
                            .set(PortInfo.NEIGHBOR_MTU, MTU)
                            .set(PortInfo.VL_CAP, VLS)
                            .set(PortInfo.OPERATIONAL_VLS, VLS));
        }
        if (isSwitch) {
            node.switchInfo(
                    SwitchInfo.TYPE.create().set(SwitchInfo.LINEAR_CAP, 1024).set(SwitchInfo.ENFORCEMENT_CAP, KEYS));
        }
        return node;
    }

    private byte[][] straight() {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            Arrays.fill(rows[sw], (byte) NO_PATH);
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                int end = fabric.portOfLid(lid);
                if (end != Fabric.NONE) {
                    int to = fabric.switchOf(end);
                    int own = fabric.isSwitch(fabric.nodeOf(end)) ? 0 : HOST;
                    rows[sw][lid] = (byte) (sw == to ? own : to == (sw + 1) % SWITCHES ? NEXT : BACK);
                }
            }
        }
        return rows;
    }

    /** Lets packets to a LID go round: by the next switch of the one that is the next of its own. */
    static void round(byte[][] rows, int lid, int own) {
        rows[(own + 1) % SWITCHES][lid] = NEXT;
    }

    /** Notes of a switch that it holds what it does in all blocks that are in use. */
    void know(int sw) {
        for (int block = 0; block <= fabric.maxLid() / LinearForwardingTable.BLOCK; block++) {
            know(sw, block);
        }
    }

    /** Notes of a switch that it holds what it does in a block. */
    void know(int sw, int block) {
        LinearForwardingTable table = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            int lid = block * LinearForwardingTable.BLOCK + i;
            table.set(LinearForwardingTable.PORTS, i, lid < held[sw].length ? held[sw][lid] & 0xFF : NO_PATH);
        }
        nodes.get(sw).held().linear(block, table);
    }

    /** Notes of all switches that they hold what they do. */
    Ring known() {
        for (int sw = 0; sw < SWITCHES; sw++) {
            know(sw);
        }
        return this;
    }

    /** Notes the SL to VL tables of all switches. */
    void knowVls(SlToVl tables) {
        for (int sw = 0; sw < SWITCHES; sw++) {
            for (int in = 0; in <= PORTS; in++) {
                for (int out = 0; out <= PORTS; out++) {
                    nodes.get(sw).held().noteSlToVl(in, out, tables.table(sw, in, out));
                }
            }
        }
    }

    /** Sets the state of a port's link, at this end only. */
    void state(int sw, int port, PortState state) {
        ManagedNode node = nodes.get(sw);
        PortInfo said = node.port(port);
        if (said != null) {
            node.port(port, said.set(PortInfo.STATE, state.code()));
        }
    }

    /** Takes a cable away. */
    void unlink(int sw, int port) {
        BitSet down = new BitSet();
        down.set(fabric.portIndex(sw, port));
        fabric = fabric.withLinksDown(down);
        state(sw, port, PortState.DOWN);
    }

    Routing routing() {
        return new Routing("test", new ForwardingTables(wanted), sls, slToVl, multicast, List.of());
    }

    Desired desired() {
        Routing routing = routing();
        return new Desired(
                fabric,
                nodes,
                fabric.portIndex(SWITCHES, 1),
                routing,
                CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT).graph(),
                before,
                keys,
                policy(),
                _ -> false);
    }

    PortPolicy policy() {
        QosSettings.Ports same = new QosSettings.Ports(15, weights, weights, OptionalLong.empty());
        return new PortPolicy(
                GID_PREFIX,
                VLS,
                SUBNET_TIMEOUT,
                LIFE_TIME,
                HOQ_SWITCH,
                HOQ_END,
                new QosSettings(same, same, same, same),
                HighLimits.all(0),
                key,
                enforcement);
    }

    PhasePlan plan() {
        return new PhasePlan(desired());
    }

    /** Carries all phases out up to one with a name, and that one, of which it returns the Sets. */
    static List<Update> run(List<Phase> phases, String name) {
        for (Phase phase : phases) {
            List<Update> sets = run(phase);
            if (phase.name().equals(name)) {
                return sets;
            }
        }
        throw new AssertionError("no phase " + name + " in " + names(phases));
    }

    /** Carries a phase out, as if all had been accepted. */
    static List<Update> run(Phase phase) {
        return run(phase.updates().get());
    }

    /** Carries Sets out, as if all had been accepted. */
    static List<Update> run(Iterator<Update> updates) {
        List<Update> sets = new ArrayList<>();
        updates.forEachRemaining(update -> {
            update.accepted().accept(update.mad());
            sets.add(update);
        });
        return sets;
    }

    static List<String> names(List<Phase> phases) {
        return phases.stream().map(Phase::name).toList();
    }

    /** Returns the names of the nodes that get Sets, one after the other. */
    static List<String> nodes(List<Update> sets) {
        return sets.stream().map(set -> set.node().name()).toList();
    }

    /** Returns what is known of the entries of all switches for a LID. */
    List<Integer> entries(int lid) {
        return nodes.stream()
                .limit(SWITCHES)
                .map(node -> node.held().forward(lid))
                .toList();
    }
}
