package org.railyard.fabric.torus.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.FailureSurveyTest;
import org.railyard.fabric.torus.TestTorus;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.testkit.Requirement;

/** Placing switches: every one where it belongs, and none where it does not (spec 30 §3). */
class PositionSearchTest {
    static Stream<TorusShape> shapes() {
        return Stream.of(
                TorusShape.torus(3, 3, 1),
                TorusShape.torus(4, 4, 1),
                TorusShape.torus(5, 4, 1),
                TorusShape.torus(7, 6, 1),
                TorusShape.torus(1, 5, 6),
                TorusShape.torus(6, 1, 4),
                TorusShape.torus(2, 2, 2),
                TorusShape.torus(3, 3, 3),
                TorusShape.torus(4, 4, 4),
                TorusShape.torus(5, 4, 3),
                TorusShape.torus(2, 5, 4),
                TorusShape.torus(6, 5, 4),
                TorusShape.of(new int[] {4, 4, 1}, new boolean[] {true, true, false}),
                TorusShape.of(new int[] {5, 4, 3}, new boolean[] {false, true, false}),
                TorusShape.of(new int[] {3, 4, 5}, new boolean[] {true, true, true}));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    @Requirement({"t2q-001", "t2q-101"})
    void aWholeTorusIsPlacedFromAnySeed(TorusShape shape) {
        RandomGenerator random = new SplittableRandom(7);
        for (int i = 0; i < 5; i++) {
            TestTorus torus = new TestTorus(shape).permuted(random);
            Placement placement = place(torus, random.nextInt(shape.positions()));
            assertAllRight(torus, placement);
            assertThat(placement.grid()).isEqualTo(TorusGrid.whole(shape).build());
            assertThat(placement.strayCables()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void withAMissingSwitchNoneIsPlacedWrongly(TorusShape shape) {
        RandomGenerator random = new SplittableRandom(11);
        boolean closed = IntStream.range(0, 3).noneMatch(d -> shape.active(d) && shape.open(d));
        for (int hole = 1; hole < shape.positions(); hole++) {
            if (shape.groupBetween(0, hole) != TorusGroup.NONE) {
                continue;
            }
            TestTorus torus = new TestTorus(shape).permuted(random).without(hole);
            Placement placement = place(torus, 0);
            assertNoneWrong(torus, placement);
            if (closed) {
                assertThat(placement.grid().switches())
                        .as("hole %s", shape.name(hole))
                        .isEqualTo(shape.positions() - 1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void withBrokenGroupsNoneIsPlacedWrongly(TorusShape shape) {
        RandomGenerator random = new SplittableRandom(13);
        List<int[]> groups = FailureSurveyTest.groups(shape);
        for (int i = 0; i < 40; i++) {
            TestTorus torus = new TestTorus(shape).permuted(random);
            for (int broken = 0; broken < 1 + i / 10; broken++) {
                int[] group = groups.get(random.nextInt(groups.size()));
                torus.withoutCables(group[0], group[1], 1);
            }
            assertNoneWrong(torus, place(torus, 0));
        }
    }

    @Test
    @Requirement("t2q-101")
    void theSeedThatPlacesMostIsUsed() {
        TorusShape shape = TorusShape.torus(5, 5, 1);
        // Discovery from (0,0) stalls when the groups around its cells are broken.
        TestTorus torus = new TestTorus(shape);
        for (int[] group : new int[][] {{0, 1}, {0, 3}, {1, 3}, {5, 1}, {4, 3}, {20, 1}}) {
            torus.withoutCables(group[0], group[1], 1);
        }
        TorusConf one = torus.conf(0);
        TorusConf two = new TorusConf(shape, List.of(torus.seed(0), torus.seed(12)), 255, List.of(), 32);
        Fabric fabric = torus.fabric();
        SwitchGraph graph = SwitchGraph.of(fabric);
        Placement stalled = placement(fabric, graph, one, false);
        Placement best = placement(fabric, graph, two, false);
        assertThat(stalled.grid().switches()).isLessThan(best.grid().switches());
        assertThat(best.seed()).isEqualTo(1);
        assertThat(placement(fabric, graph, two, true).seed())
                .as("OpenSM stays with the first")
                .isZero();
    }

    private static Placement place(TestTorus torus, int seed) {
        Fabric fabric = torus.fabric();
        return placement(fabric, SwitchGraph.of(fabric), torus.conf(seed), false);
    }

    private static Placement placement(Fabric fabric, SwitchGraph graph, TorusConf conf, boolean firstOnly) {
        return Objects.requireNonNull(new Placer(fabric, graph, conf).place(firstOnly, new ArrayList<>()));
    }

    private static void assertAllRight(TestTorus torus, Placement placement) {
        assertNoneWrong(torus, placement);
        assertThat(placement.strangers()).isEmpty();
    }

    private static void assertNoneWrong(TestTorus torus, Placement placement) {
        Fabric fabric = torus.fabric();
        for (int position = 0; position < placement.grid().shape().positions(); position++) {
            if (placement.switchAt(position) != Placement.NONE) {
                assertThat(fabric.guid(placement.switchAt(position))).isEqualTo(torus.guid(position));
            }
        }
    }
}
