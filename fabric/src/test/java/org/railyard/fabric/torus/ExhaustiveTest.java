package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.acceptance.GridVerdict;
import org.railyard.fabric.torus.acceptance.UpstreamVerdict;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.qos.QosMode;
import org.railyard.testkit.Requirement;

/**
 * All closed tori up to 6 × 6 × 6: every failed switch, and failed switches with a failed group; all of the latter with
 * {@code -Drailyard.long=true}, else a sample.
 */
class ExhaustiveTest {
    private static final SlToVlRule EIGHT_VLS = new SlToVlRule(8, 8);
    private static final int SAMPLES = 1500;
    private static final boolean LONG = Boolean.getBoolean("railyard.long");
    private static final int[] RADICES = {1, 3, 4, 5, 6};

    private static List<TorusShape> shapes() {
        List<TorusShape> shapes = new ArrayList<>();
        for (int x : RADICES) {
            for (int y : RADICES) {
                for (int z : RADICES) {
                    if (IntStream.of(x, y, z).filter(radix -> radix == 1).count() <= 1) {
                        shapes.add(TorusShape.torus(x, y, z));
                    }
                }
            }
        }
        return shapes;
    }

    @Test
    @Requirement({"t2q-010", "t2q-033"})
    void everyFailedSwitchOfEveryTorusIsRoutedWithMulticast() {
        for (TorusShape shape : shapes()) {
            for (int hole = 0; hole < shape.positions(); hole++) {
                TorusGrid grid = TorusGrid.whole(shape).removeSwitch(hole).build();
                GridVerdict verdict = verdict(grid);
                assertThat(verdict.refusals())
                        .as("%s %s", shape, shape.name(hole))
                        .isEmpty();
                assertThat(verdict.tree()).as("%s %s", shape, shape.name(hole)).isPresent();
            }
        }
    }

    @Test
    @Requirement("t2q-013")
    void aFailedSwitchAndAFailedGroupAreRoutedWithMulticastUnlessARingIsCut() {
        if (LONG) {
            int routed = 0;
            for (TorusShape shape : shapes()) {
                for (int hole = 0; hole < shape.positions(); hole++) {
                    for (int[] group : FailureSurveyTest.groups(shape)) {
                        routed += check(shape, hole, group) ? 1 : 0;
                    }
                }
            }
            assertThat(routed).as("of 1,952,544").isEqualTo(1_898_544);
            return;
        }
        SplittableRandom random = new SplittableRandom(30);
        List<TorusShape> shapes = shapes();
        for (int i = 0; i < SAMPLES; i++) {
            TorusShape shape = shapes.get(random.nextInt(shapes.size()));
            List<int[]> groups = FailureSurveyTest.groups(shape);
            check(shape, random.nextInt(shape.positions()), groups.get(random.nextInt(groups.size())));
        }
    }

    /** Tells whether it is routed; must be so where OpenSM routes it, and with multicast. */
    private static boolean check(TorusShape shape, int hole, int[] group) {
        TorusGrid grid = TorusGrid.whole(shape)
                .removeGroup(group[0], group[1])
                .removeSwitch(hole)
                .build();
        GridVerdict verdict = verdict(grid);
        String what =
                shape + " without " + shape.name(hole) + " and " + shape.name(group[0]) + TorusGroup.name(group[1]);
        assertThat(verdict.routes()).as(what).isEqualTo(UpstreamVerdict.of(grid).routes());
        assertThat(verdict.tree().isPresent()).as(what).isEqualTo(verdict.routes());
        return verdict.routes();
    }

    /** What is true of a failed switch in one octant is true in all of them, as far as unicast goes. */
    @Test
    void mirrorImagesAreRoutedAlike() {
        SplittableRandom random = new SplittableRandom(31);
        List<TorusShape> shapes = shapes();
        for (int i = 0; i < 60; i++) {
            TorusShape shape = shapes.get(random.nextInt(shapes.size()));
            int hole = random.nextInt(shape.positions());
            List<int[]> groups = FailureSurveyTest.groups(shape);
            int[] group = groups.get(random.nextInt(groups.size()));
            int mirrored = random.nextInt(8);
            DimensionOrder order = order(shape, hole, group[0], group[1]);
            DimensionOrder image = order(
                    shape,
                    mirror(shape, mirrored, hole),
                    mirror(shape, mirrored, group[0]),
                    mirror(mirrored, group[1]));
            for (int at = 0; at < shape.positions(); at++) {
                int to = random.nextInt(shape.positions());
                if (at != hole && to != hole) {
                    assertThat(image.nextGroup(mirror(shape, mirrored, at), mirror(shape, mirrored, to)))
                            .isEqualTo(mirror(mirrored, order.nextGroup(at, to)));
                    assertThat(shape.datelineBits(mirror(shape, mirrored, at), mirror(shape, mirrored, to)))
                            .isEqualTo(shape.datelineBits(at, to));
                }
            }
        }
    }

    private static DimensionOrder order(TorusShape shape, int hole, int cut, int group) {
        TorusGrid grid = TorusGrid.whole(shape)
                .removeGroup(cut, group)
                .removeSwitch(hole)
                .build();
        return new DimensionOrder(grid, DirectionRule.MESH_AWARE);
    }

    /** Returns the image of a position: dimensions whose bit is set are turned round. */
    private static int mirror(TorusShape shape, int mirrored, int position) {
        int image = position;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            if ((mirrored & 1 << d) != 0) {
                image = shape.with(image, d, shape.radix(d) - 1 - shape.coordinate(image, d));
            }
        }
        return image;
    }

    private static int mirror(int mirrored, int group) {
        boolean turned = group >= 0 && group < TorusGroup.COUNT && (mirrored & 1 << TorusGroup.dimension(group)) != 0;
        return turned ? TorusGroup.opposite(group) : group;
    }

    @Test
    @Requirement({"t2q-003", "t2q-033", "t2q-046"})
    void whatIsAcceptedIsProvedOverItsTables() {
        SplittableRandom random = new SplittableRandom(32);
        List<TorusShape> shapes =
                shapes().stream().filter(shape -> shape.positions() <= 100).toList();
        int proved = 0;
        for (int i = 0; i < 60; i++) {
            TorusShape shape = shapes.get(random.nextInt(shapes.size()));
            TestTorus torus = new TestTorus(shape).cables(1 + random.nextInt(2)).permuted(random);
            List<int[]> groups = FailureSurveyTest.groups(shape);
            for (int broken = random.nextInt(4); broken > 0; broken--) {
                int[] group = groups.get(random.nextInt(groups.size()));
                torus.withoutCables(group[0], group[1], 2);
            }
            if (random.nextBoolean()) {
                torus.without(shape.positions() / 2 + random.nextInt(shape.positions() / 2));
            }
            proved += proved(torus.fabric(), torus.conf()) == null ? 0 : 1;
        }
        assertThat(proved).isGreaterThan(20);
    }

    /**
     * Every failed switch, over real tables, by the check that knows nothing of tori; a sample unless there is time.
     */
    @Test
    @Requirement({"t2q-006", "t2q-010", "t2q-012", "t2q-028", "t2q-033"})
    void failedSwitchesAreProvedOverTheirTables() {
        SplittableRandom random = new SplittableRandom(6);
        for (TorusShape shape : shapes()) {
            for (int hole = 0; hole < shape.positions(); hole++) {
                if (LONG || random.nextInt(shape.positions() * 2) == 0) {
                    provedWithUnchangedSls(shape, hole, -1, 0);
                }
            }
        }
    }

    @Test
    @Requirement({"t2q-002", "t2q-006", "t2q-013"})
    void aSampleOfFiveHundredAndTwelveSwitchesIsProvedOverItsTables() {
        SplittableRandom random = new SplittableRandom(8);
        TorusShape shape = TorusShape.torus(8, 8, 8);
        List<int[]> groups = FailureSurveyTest.groups(shape);
        int proved = 0;
        for (int i = 0; i < (LONG ? 300 : 2); i++) {
            int[] group = groups.get(random.nextInt(groups.size()));
            proved += provedWithUnchangedSls(shape, random.nextInt(shape.positions()), group[0], group[1]) ? 1 : 0;
        }
        assertThat(proved).isPositive();
    }

    /**
     * Routes without a switch and, unless {@code cut} is negative, without a group. What is accepted must be proved,
     * and keep its SLs.
     *
     * @return whether it is accepted
     */
    private static boolean provedWithUnchangedSls(TorusShape shape, int hole, int cut, int group) {
        TestTorus torus = new TestTorus(shape).without(hole);
        if (cut >= 0) {
            torus.withoutCables(cut, group, 1);
        }
        // The seed is at a switch that has all its neighbours.
        int seed = 0;
        while (!mayBeSeed(shape, seed, hole)) {
            seed++;
        }
        Routing damaged = proved(torus.fabric(), torus.conf(seed));
        String what = shape + " without " + shape.name(hole) + (cut < 0 ? "" : " and a group at " + shape.name(cut));
        if (damaged == null) {
            // Two gaps in one ring: the only reason not to route a failed switch with a failed group.
            assertThat(cut).as(what).isNotNegative();
            TorusGrid grid = TorusGrid.whole(shape)
                    .removeGroup(cut, group)
                    .removeSwitch(hole)
                    .build();
            assertThat(UpstreamVerdict.of(grid).refusals())
                    .as(what)
                    .anyMatch(line -> line.contains("disjoint failures in"));
            return false;
        }
        Fabric after = torus.fabric();
        for (int at = 0; at < shape.positions(); at++) {
            for (int to = 0; to < shape.positions(); to++) {
                if (at != hole && to != hole) {
                    assertThat(damaged.sls().sl(hostLid(after, at), hostLid(after, to), 8))
                            .isEqualTo(shape.datelineBits(at, to) | 8);
                }
            }
        }
        return true;
    }

    private static boolean mayBeSeed(TorusShape shape, int position, int hole) {
        boolean whole = position != hole;
        for (int neighbour = 0; neighbour < TorusGroup.COUNT; neighbour++) {
            whole &= shape.step(position, neighbour) != hole;
        }
        return whole;
    }

    private static int hostLid(Fabric fabric, int position) {
        int node = fabric.nodeOfGuid(TestTorus.HOST_GUID + 0x1000000L + position * 16L);
        return fabric.lid(fabric.portIndex(node, 1));
    }

    /** Returns the routing, null if refused; it must be clean together with a group of all hosts. */
    private static @Nullable Routing proved(Fabric fabric, TorusConf conf) {
        List<Integer> members = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndPort(port) && fabric.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE)
                .boxed()
                .toList();
        EngineOptions options = EngineOptions.DEFAULT.withGroups(List.of(new MulticastGroup(0xC000, 0, members)));
        if (!(new TorusEngine(conf, TorusOptions.DEFAULT).route(fabric, options) instanceof Routing routing)) {
            return null;
        }
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withSwitchPorts(true));
        assertThat(report.verdict()).as(report.loops() + " " + report.faults()).isEqualTo(CheckReport.Verdict.CLEAN);
        return routing;
    }

    private static GridVerdict verdict(TorusGrid grid) {
        return GridVerdict.of(new DimensionOrder(grid, DirectionRule.MESH_AWARE), EIGHT_VLS, QosMode.TWO_LEVELS);
    }
}
