package org.railyard.fabric.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.live.PlanDiff.PlannedArbitration;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.qos.VlArbTable;

final class PlanDiffTest {
    private static final int GROUP = 0xC001;

    /** Two switches with a host each, and a spare switch; cables of the spare are of choice. */
    private static Fabric pair(boolean swapped, boolean hasSpare) {
        FabricBuilder builder = new FabricBuilder();
        NodeBuilder a = builder.node(NodeType.SWITCH, 1, 3, "A");
        NodeBuilder b = builder.node(NodeType.SWITCH, 2, 3, "B");
        NodeBuilder g = builder.node(NodeType.CA, 11, 1, "G");
        NodeBuilder h = builder.node(NodeType.CA, 12, 1, "H");
        g.port(1).guid(21);
        h.port(1).guid(22);
        builder.connect(a, 1, swapped ? h : g, 1);
        builder.connect(b, 1, swapped ? g : h, 1);
        builder.connect(a, 2, b, 2);
        if (hasSpare) {
            builder.connect(a, 3, builder.node(NodeType.SWITCH, 3, 1, "C"), 1);
        }
        Fabric fabric = builder.build();
        return FreshLids.assign(fabric, fabric.portIndex(fabric.nodeOfGuid(11), 1));
    }

    private static Routing plan(Fabric fabric) {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        PortMask[] masks = new PortMask[rows.length];
        for (int sw = 0; sw < rows.length; sw++) {
            masks[sw] = PortMask.of(1, 2);
        }
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        trees.put(GROUP, new MulticastTables.Tree(0, masks));
        return new Routing(
                "plan",
                new ForwardingTables(rows),
                PathSls.constant(0),
                SlToVl.uniform(SlToVl.ALL_ZERO),
                new MulticastTables(trees),
                List.of());
    }

    private static LiveSubnet live(Fabric fabric) {
        return new LiveSubnet(
                fabric,
                Fabric.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new TreeMap<>(),
                Optional.empty(),
                List.of(),
                List.of());
    }

    private static PlanDiff.Part part(PlanDiff diff, String name) {
        return diff.parts().stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void movedCablesAreToldAtEachEnd() {
        Fabric fabric = pair(false, false);
        PlanDiff diff = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(pair(true, false)), 10);
        assertThat(part(diff, "nodes").different()).isZero();
        assertThat(part(diff, "cables").lines())
                .containsExactly(
                        "A/1: planned to G/1, goes to H/1",
                        "B/1: planned to H/1, goes to G/1",
                        "G/1: planned to A/1, goes to B/1",
                        "H/1: planned to B/1, goes to A/1");
        assertThat(diff.notCompared())
                .containsExactly(
                        "forwarding entries: not read",
                        "SL to VL tables: not read",
                        "multicast masks: not read",
                        "SLs of paths: not read",
                        "VL arbitration: not read");
    }

    @Test
    void nodesAndCablesOfOneSideAreTold() {
        Fabric fabric = pair(false, false);
        Fabric more = pair(false, true);
        PlanDiff extra = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(more), 10);
        assertThat(part(extra, "nodes").lines()).containsExactly("switch C (0x0000000000000003): not planned");
        assertThat(part(extra, "cables").lines()).containsExactly("A/3: no cable planned, goes to C/1");
        PlanDiff gone = PlanDiff.between(more, plan(more), Optional.empty(), live(fabric), 10);
        assertThat(part(gone, "nodes").lines())
                .containsExactly("switch C (0x0000000000000003): planned, and not there");
        assertThat(part(gone, "cables").lines()).containsExactly("A/3: planned to C/1, no link");
    }

    @Test
    void masksOfPlannedGroupsAreCompared() {
        Fabric fabric = pair(false, false);
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        trees.put(GROUP, new MulticastTables.Tree(0, new PortMask[] {PortMask.of(1, 2), PortMask.of(2)}));
        trees.put(GROUP + 1, new MulticastTables.Tree(0, new PortMask[] {PortMask.of(1), PortMask.EMPTY}));
        LiveSubnet live = new LiveSubnet(
                fabric,
                Fabric.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new MulticastTables(trees)),
                new TreeMap<>(),
                Optional.of(PathSls.constant(3)),
                List.of(),
                List.of());
        PlanDiff diff = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live, 10);
        assertThat(part(diff, "multicast masks").lines())
                .containsExactly("B, LID 0xC001: ports {1,2} planned, {2} programmed");
        assertThat(part(diff, "SLs of paths").lines())
                .hasSize(6)
                .contains("G/1 to H/1: SL 0 planned, 3 answered", "H/1 to A/0: SL 0 planned, 3 answered");
        assertThat(diff.notCompared()).contains("multicast masks of 1 groups that are not planned");
    }

    @Test
    void arbitrationCountsAsFarAsAPortHasEntriesAndVls() {
        Fabric fabric = pair(false, false);
        int port = fabric.portIndex(0, 2);
        VlArbTable planned = VlArbTable.parse("0:4,1:4,2:0,3:4,9:1");
        TreeMap<Integer, PortArbitration> tables = new TreeMap<>();
        tables.put(port, new PortArbitration(VlArbTable.parse("0:4"), VlArbTable.parse("0:4,1:4"), 1, 2));
        LiveSubnet live = new LiveSubnet(
                fabric,
                Fabric.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                tables,
                Optional.empty(),
                List.of(),
                List.of());
        PortArbitration both = PortArbitration.of(planned, planned);
        PortArbitration none = PortArbitration.of(VlArbTable.parse(""), planned);
        PlanDiff same =
                PlanDiff.between(fabric, plan(fabric), Optional.of(new PlannedArbitration(both, none, none)), live, 10);
        assertThat(part(same, "VL arbitration")).isEqualTo(new PlanDiff.Part("VL arbitration", 1, 0, List.of()));
        PlanDiff other =
                PlanDiff.between(fabric, plan(fabric), Optional.of(new PlannedArbitration(none, both, both)), live, 10);
        assertThat(part(other, "VL arbitration").lines())
                .containsExactly("A/2: high none, low 0:4,1:4 planned, high 0:4, low 0:4,1:4 programmed");
    }

    @Test
    void onlySoManyAreTold() {
        Fabric fabric = pair(false, false);
        PlanDiff diff = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(pair(true, false)), 1);
        assertThat(part(diff, "cables").different()).isEqualTo(4);
        assertThat(part(diff, "cables").lines()).hasSize(1);
    }
}
