package org.railyard.fabric.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
import org.railyard.fabric.route.SlToVlTables;
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

    /** Returns the same with LIDs of A, B, G and H, and LMCs of G and H. */
    private static Fabric withLids(Fabric fabric, int a, int b, int g, int lmcOfG, int h, int lmcOfH) {
        int[] lids = new int[fabric.portCount()];
        int[] lmcs = new int[fabric.portCount()];
        lids[fabric.portIndex(fabric.nodeOfGuid(1), 0)] = a;
        lids[fabric.portIndex(fabric.nodeOfGuid(2), 0)] = b;
        int portOfG = fabric.portIndex(fabric.nodeOfGuid(11), 1);
        int portOfH = fabric.portIndex(fabric.nodeOfGuid(12), 1);
        lids[portOfG] = g;
        lmcs[portOfG] = lmcOfG;
        lids[portOfH] = h;
        lmcs[portOfH] = lmcOfH;
        return fabric.withLids(lids, lmcs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; 2; 4; 1; 8; 0; ''",
                "1; 3; 6; 0; 0; 0; B/0: LID 2 planned, it has 3|G/1: LID 4 with LMC 1 planned, it has 6|"
                        + "H/1: LID 8 planned, it has none",
                "1; 2; 4; 0; 8; 2; G/1: LID 4 with LMC 1 planned, it has 4|H/1: LID 8 planned, it has 8 with LMC 2"
            })
    void lidsDifferByBaseOrByLmc(int a, int b, int g, int lmcOfG, int h, int lmcOfH, String lines) {
        Fabric fabric = withLids(pair(false, false), 1, 2, 4, 1, 8, 0);
        Fabric now = withLids(pair(false, false), a, b, g, lmcOfG, h, lmcOfH);
        List<String> expected = lines.isEmpty() ? List.of() : List.of(lines.split("\\|"));
        PlanDiff diff = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(now), 10);
        assertThat(part(diff, "LIDs")).isEqualTo(new PlanDiff.Part("LIDs", 4, expected.size(), expected));
        assertThat(diff.isEmpty()).isEqualTo(expected.isEmpty());
        PlanDiff none = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(now), 0);
        assertThat(part(none, "LIDs")).isEqualTo(new PlanDiff.Part("LIDs", 4, expected.size(), List.of()));
        Fabric three = withLids(pair(false, false), 1, 2, 4, 1, 0, 0);
        PlanDiff fewer = PlanDiff.between(three, plan(three), Optional.empty(), live(now), 10);
        assertThat(part(fewer, "LIDs").compared()).isEqualTo(3);
    }

    private static ForwardingTables tables(int[]... rows) {
        byte[][] bytes = new byte[rows.length][rows[0].length];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 0; lid < rows[sw].length; lid++) {
                bytes[sw][lid] = (byte) rows[sw][lid];
            }
        }
        return new ForwardingTables(bytes);
    }

    private static Routing plan(ForwardingTables tables) {
        return new Routing(
                "plan",
                tables,
                PathSls.constant(0),
                SlToVl.uniform(SlToVl.ALL_ZERO),
                new MulticastTables(new TreeMap<>()),
                List.of());
    }

    private static LiveSubnet live(Fabric fabric, @Nullable ForwardingTables tables, @Nullable SlToVlTables vls) {
        return new LiveSubnet(
                fabric,
                Fabric.NONE,
                Optional.ofNullable(tables),
                Optional.ofNullable(vls),
                Optional.empty(),
                new TreeMap<>(),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** G has LIDs 4 and 5, H has 8; where a port has another LID its entries are at that. */
    @Test
    void entriesAreThoseOfThePortWhateverItsLid() {
        Fabric fabric = withLids(pair(false, true), 1, 2, 4, 1, 8, 0);
        int none = ForwardingTables.NO_PATH;
        int[] a = {none, 0, 2, none, 1, 1, none, none, 2};
        int[] b = {none, 2, 0, none, 2, 2, none, none, 1};
        Routing plan = plan(tables(a, b, new int[9]));
        int[] other = b.clone();
        other[5] = 3;
        PlanDiff same = PlanDiff.between(
                fabric,
                plan,
                Optional.empty(),
                live(withLids(pair(false, false), 1, 2, 4, 1, 8, 0), tables(a, other), null),
                10);
        assertThat(part(same, "forwarding entries"))
                .as("five LIDs at two switches; the third one is not there")
                .isEqualTo(new PlanDiff.Part(
                        "forwarding entries", 10, 1, List.of("B, LID 5 (G/1): port 2 planned, 3 programmed")));
        int[] lidsOfNow = {none, 0, 2, none, none, none, 3};
        int[] noWay = {none, 2, 1, none, none, none, none};
        PlanDiff moved = PlanDiff.between(
                fabric,
                plan,
                Optional.empty(),
                live(withLids(pair(false, false), 1, 2, 6, 0, 0, 0), tables(lidsOfNow, noWay), null),
                10);
        assertThat(part(moved, "forwarding entries"))
                .isEqualTo(new PlanDiff.Part(
                        "forwarding entries",
                        6,
                        3,
                        List.of(
                                "A, LID 6 (G/1): port 1 planned, 3 programmed",
                                "B, LID 2 (B/0): port 0 planned, 1 programmed",
                                "B, LID 6 (G/1): port 2 planned, none programmed")));
    }

    /** Port 3 of A leads to a switch that is not there, and port 2 of both to each other. */
    @Test
    void vlsAreComparedWhereThereAreCables() {
        Fabric fabric = pair(false, true);
        Fabric now = pair(false, false);
        long toOne = SlToVl.ALL_ZERO | 1;
        long dropped = -1;
        SlToVlTables.Builder vls = new SlToVlTables.Builder(now, toOne);
        vls.set(0, 0, 1, SlToVl.ALL_ZERO);
        vls.set(0, 1, 2, toOne);
        vls.set(0, 2, 1, dropped);
        vls.set(0, 2, 2, dropped);
        vls.set(0, 1, 1, SlToVl.ALL_ZERO);
        vls.set(0, 3, 1, toOne);
        vls.set(0, 1, 3, toOne);
        vls.set(1, 2, 1, SlToVl.ALL_ZERO);
        vls.setEnd(now.portIndex(now.nodeOfGuid(11), 1), toOne);
        PlanDiff diff = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(now, null, vls.build()), 10);
        String zeros = ",0".repeat(15);
        String fifteens = "15" + ",15".repeat(15);
        assertThat(part(diff, "SL to VL tables"))
                .isEqualTo(new PlanDiff.Part(
                        "SL to VL tables",
                        7,
                        3,
                        List.of(
                                "A, from port 2 to port 1: SL 0 to 15 to VL 0" + zeros + " planned, " + fifteens
                                        + " programmed",
                                "A, from port 1 to port 2: SL 0 to 15 to VL 0" + zeros + " planned, 1" + zeros
                                        + " programmed",
                                "G/1: SL 0 to 15 to VL 0" + zeros + " planned, 1" + zeros + " programmed")));
    }

    @Test
    void whatIsTheSameIsCounted() {
        Fabric fabric = pair(false, true);
        PlanDiff same = PlanDiff.between(fabric, plan(fabric), Optional.empty(), live(fabric), 10);
        assertThat(same.isEmpty()).isTrue();
        assertThat(same.parts())
                .containsExactly(
                        new PlanDiff.Part("nodes", 10, 0, List.of()),
                        new PlanDiff.Part("cables", 4, 0, List.of()),
                        new PlanDiff.Part("LIDs", 5, 0, List.of()));
        PlanDiff extra = PlanDiff.between(pair(false, false), plan(fabric), Optional.empty(), live(fabric), 10);
        assertThat(part(extra, "cables").compared()).as("with that of C").isEqualTo(4);
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
        assertThat(part(diff, "multicast masks").compared()).isEqualTo(2);
        assertThat(part(diff, "SLs of paths").compared()).isEqualTo(6);
        assertThat(diff.notCompared()).contains("multicast masks of 1 groups that are not planned");
        trees.remove(GROUP + 1);
        LiveSubnet planned = new LiveSubnet(
                fabric,
                Fabric.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new MulticastTables(trees)),
                new TreeMap<>(),
                Optional.empty(),
                List.of(),
                List.of());
        assertThat(PlanDiff.between(fabric, plan(fabric), Optional.empty(), planned, 10)
                        .notCompared())
                .noneMatch(line -> line.contains("groups"));
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
