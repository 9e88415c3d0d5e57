package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.torus.acceptance.GridVerdict;
import org.railyard.fabric.torus.acceptance.Repairs;
import org.railyard.fabric.torus.acceptance.UpstreamVerdict;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusDependencies;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.grid.UnicastDependencies;
import org.railyard.fabric.torus.multicast.MasterTree;
import org.railyard.fabric.torus.multicast.MasterTrees;
import org.railyard.fabric.torus.multicast.MulticastDependencies;
import org.railyard.fabric.torus.multicast.UpstreamTree;
import org.railyard.fabric.torus.qos.QosMode;
import org.railyard.testkit.Requirement;

/** What may fail and what may not: the experiments of spec 30 §9.4 and §10.4 again, on the grid. */
public class FailureSurveyTest {
    private static final SlToVlRule EIGHT_VLS = new SlToVlRule(8, 8);

    static Stream<TorusShape> closedShapes() {
        return Stream.of(
                TorusShape.torus(3, 3, 1),
                TorusShape.torus(4, 4, 1),
                TorusShape.torus(5, 5, 1),
                TorusShape.torus(6, 5, 1),
                TorusShape.torus(7, 6, 1),
                TorusShape.torus(1, 5, 6),
                TorusShape.torus(6, 1, 5),
                TorusShape.torus(3, 3, 3),
                TorusShape.torus(3, 3, 5),
                TorusShape.torus(4, 4, 4),
                TorusShape.torus(5, 4, 3),
                TorusShape.torus(5, 5, 5));
    }

    @ParameterizedTest
    @MethodSource("closedShapes")
    @Requirement({"t2q-010", "t2q-028", "t2q-033", "t2q-107"})
    void everySingleFailedSwitchIsRoutedWithAMulticastTreeAtTheFirstRoot(TorusShape shape) {
        for (int hole = 0; hole < shape.positions(); hole++) {
            TorusGrid grid = TorusGrid.whole(shape).removeSwitch(hole).build();
            DimensionOrder order = new DimensionOrder(grid, DirectionRule.MESH_AWARE);
            GridVerdict verdict = GridVerdict.of(order, EIGHT_VLS, QosMode.TWO_LEVELS);
            assertThat(verdict.refusals()).as(shape.name(hole)).isEmpty();
            assertThat(verdict.tree())
                    .isEqualTo(MasterTrees.of(grid).findFirst())
                    .isPresent();
            assertThat(UpstreamVerdict.of(grid).refusals()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"4 4 1", "5 5 1", "3 3 3"})
    @Requirement({"t2q-011", "t2q-025"})
    void twoBrokenGroupsAreRoutedUnlessInOneRing(String dims) {
        TorusShape shape = GridText.grid(dims, "", "").shape();
        List<int[]> groups = groups(shape);
        int accepted = 0;
        for (int i = 0; i < groups.size(); i++) {
            for (int j = i + 1; j < groups.size(); j++) {
                TorusGrid grid = TorusGrid.whole(shape)
                        .removeGroup(groups.get(i)[0], groups.get(i)[1])
                        .removeGroup(groups.get(j)[0], groups.get(j)[1])
                        .build();
                boolean routed = verdict(grid, DirectionRule.RING).routes();
                UpstreamVerdict upstream = UpstreamVerdict.of(grid);
                assertThat(routed).isEqualTo(upstream.routes());
                if (!routed) {
                    assertThat(upstream.refusals().getFirst())
                            .contains("disjoint failures in ")
                            .contains(" ring at ");
                }
                accepted += routed ? 1 : 0;
            }
        }
        assertThat(accepted).isEqualTo(dims.equals("4 4 1") ? 448 : dims.equals("5 5 1") ? 1125 : 3159);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4 4 1", "5 5 1", "6 5 1", "1 5 5", "3 3 3", "4 3 3"})
    @Requirement("t2q-013")
    void aFailedSwitchAndABrokenGroupAreRoutedWhereverOpenSmDoes(String dims) {
        TorusShape shape = GridText.grid(dims, "", "").shape();
        for (int hole = 0; hole < shape.positions(); hole++) {
            for (int[] group : groups(shape)) {
                TorusGrid grid = TorusGrid.whole(shape)
                        .removeGroup(group[0], group[1])
                        .removeSwitch(hole)
                        .build();
                if (UpstreamVerdict.of(grid).routes()) {
                    GridVerdict verdict = verdict(grid, DirectionRule.RING);
                    assertThat(verdict.routes()).as(shape.name(hole)).isTrue();
                    assertThat(verdict.tree()).as("tree %s", shape.name(hole)).isPresent();
                }
            }
        }
    }

    @Test
    @Requirement("t2q-013")
    void openSmAcceptsAFabricThatCanDeadlock() {
        TorusGrid grid = GridText.grid("5 5 1", "4,2", "4,3-0,3 3,1-4,1");
        assertThat(UpstreamVerdict.of(grid).routes()).isTrue();

        UnicastDependencies.Result unicast =
                UnicastDependencies.of(new DimensionOrder(grid, DirectionRule.RING), EIGHT_VLS);
        List<TorusDependencies.Channel> loop = unicast.dependencies().loop().orElseThrow();
        assertThat(loop)
                .extracting(channel -> channel.name(grid.shape()))
                .hasSize(10)
                .containsExactlyInAnyOrder(
                        "(0,1,0)+y vl 0",
                        "(0,2,0)+y vl 0",
                        "(0,3,0)+x vl 3",
                        "(1,3,0)+x vl 1",
                        "(2,3,0)+x vl 1",
                        "(3,3,0)-y vl 0",
                        "(3,2,0)-y vl 0",
                        "(3,1,0)-x vl 2",
                        "(2,1,0)-x vl 0",
                        "(1,1,0)-x vl 0");

        GridVerdict verdict = verdict(grid, DirectionRule.RING);
        assertThat(verdict.refusals().getFirst().code()).isEqualTo("credit-loop");
        assertThat(Repairs.advice(
                                new DimensionOrder(grid, DirectionRule.RING),
                                EIGHT_VLS,
                                QosMode.TWO_LEVELS,
                                GridVerdict::of)
                        .orElseThrow()
                        .text())
                .contains("routable again with switch (4,2,0), or with cable (3,1,0)-(4,1,0), or with cable"
                        + " (4,3,0)-(0,3,0)");
    }

    @Test
    @Requirement({"t2q-033", "t2q-107"})
    void openSmsMulticastTreeClosesALoopWhereOursDoesNot() {
        TorusGrid grid = GridText.grid("3 3 5", "0,1,2", "");
        MasterTree upstream = UpstreamTree.of(grid).orElseThrow();
        assertThat(grid.shape().name(upstream.root())).isEqualTo("(1,1,1)");
        TorusDependencies both = unicast(grid).copy();
        MulticastDependencies.add(both, grid, upstream, EIGHT_VLS);
        assertThat(both.loop().orElseThrow()).hasSize(7);
        assertThat(verdict(grid, DirectionRule.RING).tree()).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "6 5 1, '', '(3,2,0)'",
        "6 5 1, '3,2', '(2,1,0)'",
        "5 5 5, '2,2,2', '(2,2,1)'",
        "3 3 5, '0,1,2', '(1,1,1)'"
    })
    void rootsOfOpenSmAreThoseOfTheSpecification(String dims, String missing, String root) {
        TorusGrid grid = GridText.grid(dims, missing, "");
        assertThat(grid.shape().name(UpstreamTree.of(grid).orElseThrow().root()))
                .isEqualTo(root);
    }

    @ParameterizedTest
    @CsvSource({
        "4 4 1, 1",
        "5 5 1, 5",
        "5 6 1, 10",
        "6 5 1, 6",
        "6 6 1, 12",
        "7 6 1, 14",
        "1 5 6, 10",
        "3 3 1, 0",
        "3 3 3, 0",
        "4 4 4, 0",
        "5 4 3, 0",
        "5 5 5, 25"
    })
    void openSmsTreeLoopsForSoManyPositionsOfAMissingSwitch(String dims, int loops) {
        TorusShape shape = GridText.grid(dims, "", "").shape();
        int found = 0;
        for (int hole = 0; hole < shape.positions(); hole++) {
            TorusGrid grid = TorusGrid.whole(shape).removeSwitch(hole).build();
            TorusDependencies both = unicast(grid).copy();
            MulticastDependencies.add(both, grid, UpstreamTree.of(grid).orElseThrow(), EIGHT_VLS);
            found += both.loop().isPresent() ? 1 : 0;
        }
        assertThat(found).isEqualTo(loops);
    }

    @ParameterizedTest
    @MethodSource("closedShapes")
    void withoutMissingSwitchesTheTreeIsOpenSms(TorusShape shape) {
        List<TorusGrid> grids = new ArrayList<>(List.of(TorusGrid.whole(shape).build()));
        for (int[] group : groups(shape)) {
            grids.add(TorusGrid.whole(shape).removeGroup(group[0], group[1]).build());
        }
        for (TorusGrid grid : grids) {
            assertThat(MasterTrees.of(grid).findFirst()).isEqualTo(UpstreamTree.of(grid));
        }
    }

    @Test
    @Requirement({"t2q-031", "t2q-106"})
    void switchesMissingSideBySideInTheLastDimensionAreRouted() {
        TorusShape shape = TorusShape.torus(3, 3, 5);
        for (int start = 0; start < shape.positions(); start++) {
            for (int length = 2; length <= shape.radix(2); length++) {
                TorusGrid.Builder builder = TorusGrid.whole(shape);
                for (int i = 0; i < length; i++) {
                    builder.removeSwitch(shape.with(start, 2, shape.coordinate(start, 2) + i));
                }
                TorusGrid grid = builder.build();
                assertThat(UpstreamVerdict.of(grid).refusals()).isEmpty();
                GridVerdict verdict = verdict(grid, DirectionRule.RING);
                assertThat(verdict.refusals()).isEmpty();
                assertThat(verdict.tree())
                        .isEqualTo(MasterTrees.of(grid).findFirst())
                        .isPresent();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 61, 0", "1, 0, 61, 25", "1, 2, 158, 92", "2, 1, 158, 0"})
    @Requirement("t2q-031")
    void pairsOfMissingSwitchesThatOpenSmRefuses(int dx, int dy, int pairs, int loops) {
        int seen = 0;
        int looping = 0;
        for (TorusShape shape : List.of(TorusShape.torus(5, 5, 1), TorusShape.torus(6, 6, 1))) {
            for (int one = 0; one < shape.positions(); one++) {
                for (int two = one + 1; two < shape.positions(); two++) {
                    if (apart(shape, 0, one, two, dx) && apart(shape, 1, one, two, dy)) {
                        TorusGrid grid = TorusGrid.whole(shape)
                                .removeSwitch(one)
                                .removeSwitch(two)
                                .build();
                        assertThat(UpstreamVerdict.of(grid).refusals().getFirst())
                                .startsWith("4E38");
                        seen++;
                        looping += verdict(grid, DirectionRule.RING).routes() ? 0 : 1;
                    }
                }
            }
        }
        assertThat(seen).isEqualTo(pairs);
        assertThat(looping).isEqualTo(loops);
    }

    /** Tells whether the coordinates are 0 or 1 apart, or at least 2. */
    private static boolean apart(TorusShape shape, int dimension, int one, int two, int distance) {
        int direct = Math.abs(shape.coordinate(one, dimension) - shape.coordinate(two, dimension));
        int apart = Math.min(direct, shape.radix(dimension) - direct);
        return distance < 2 ? apart == distance : apart >= 2;
    }

    @Test
    void withTwoVlsAFailedSwitchIsRefusedWhereItCanDeadlock() {
        TorusShape shape = TorusShape.torus(5, 5, 1);
        int refused = 0;
        for (int hole = 0; hole < shape.positions(); hole++) {
            TorusGrid grid = TorusGrid.whole(shape).removeSwitch(hole).build();
            DimensionOrder order = new DimensionOrder(grid, DirectionRule.RING);
            refused += GridVerdict.of(order, new SlToVlRule(2, 2), QosMode.TWO_LEVELS)
                            .routes()
                    ? 0
                    : 1;
            assertThat(GridVerdict.of(order, new SlToVlRule(4, 2), QosMode.TWO_LEVELS)
                            .routes())
                    .isTrue();
        }
        assertThat(refused).isEqualTo(9);
    }

    @Test
    @Requirement("t2q-104")
    void inAMeshTheStraightDirectionKeepsMulticastClean() {
        TorusShape shape = TorusShape.of(new int[] {5, 5, 1}, new boolean[] {true, false, false});
        int accepted = 0;
        int withoutTree = 0;
        for (int hole = 0; hole < shape.positions(); hole++) {
            TorusGrid grid = TorusGrid.whole(shape).removeSwitch(hole).build();
            if (UpstreamVerdict.of(grid).routes()) {
                accepted++;
                withoutTree += verdict(grid, DirectionRule.RING).tree().isEmpty() ? 1 : 0;
                assertThat(verdict(grid, DirectionRule.MESH_AWARE).tree()).isPresent();
            }
        }
        assertThat(accepted).isEqualTo(10);
        assertThat(withoutTree).isEqualTo(6);
    }

    @Test
    @Requirement("t2q-034")
    void multicastOnVlsOfItsOwnTakesAnyTree() {
        TorusShape shape = TorusShape.of(new int[] {5, 5, 1}, new boolean[] {true, false, false});
        TorusGrid grid =
                TorusGrid.whole(shape).removeSwitch(shape.position(0, 2, 0)).build();
        DimensionOrder order = new DimensionOrder(grid, DirectionRule.RING);
        Optional<MasterTree> tree =
                GridVerdict.of(order, EIGHT_VLS, QosMode.SEPARATE_MULTICAST).tree();
        assertThat(tree).isPresent();
        for (int hint = 0; hint < 16; hint++) {
            assertThat(QosMode.SEPARATE_MULTICAST.unicastSl(5, hint)).isEqualTo(13);
        }
    }

    private static GridVerdict verdict(TorusGrid grid, DirectionRule rule) {
        return GridVerdict.of(new DimensionOrder(grid, rule), EIGHT_VLS, QosMode.TWO_LEVELS);
    }

    private static TorusDependencies unicast(TorusGrid grid) {
        UnicastDependencies.Result result =
                UnicastDependencies.of(new DimensionOrder(grid, DirectionRule.RING), EIGHT_VLS);
        assertThat(result.broken()).isEmpty();
        assertThat(result.dependencies().loop()).isEmpty();
        return result.dependencies();
    }

    /** Returns every group once: position and direction. */
    public static List<int[]> groups(TorusShape shape) {
        List<int[]> groups = new ArrayList<>();
        for (int position = 0; position < shape.positions(); position++) {
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                if (shape.step(position, TorusGroup.plus(d)) >= 0) {
                    groups.add(new int[] {position, TorusGroup.plus(d)});
                }
            }
        }
        return groups;
    }
}
