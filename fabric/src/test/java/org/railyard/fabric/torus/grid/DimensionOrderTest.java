package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The next group from each switch to each other one, asked for in one or in rows (spec 30 §6). */
class DimensionOrderTest {
    private static final int CASES = 80;

    @Test
    void aRowSaysWhatEachAnswerSays() {
        SplittableRandom dice = new SplittableRandom(5);
        for (int i = 0; i < CASES; i++) {
            TorusGrid grid = RandomGrid.grid(8, dice);
            DirectionRule rule = DirectionRule.values()[i % 2];
            DimensionOrder order = new DimensionOrder(grid, rule);
            assertThat(order.rule()).isEqualTo(rule);
            byte[] row = new byte[grid.shape().positions()];
            for (int at = 0; at < row.length; at++) {
                if (grid.isPresent(at)) {
                    order.row(at, row);
                    for (int target = 0; target < row.length; target++) {
                        assertThat((int) row[target]).isEqualTo(order.nextGroup(at, target));
                    }
                }
            }
        }
    }

    /** The words of the specification, for a whole ring: nearest first, straight where nothing wraps. */
    @Test
    void inAnOpenDimensionTheRulesDiffer() {
        TorusShape mesh = TorusShape.of(new int[] {7, 1, 1}, new boolean[] {true, true, true});
        TorusGrid grid = TorusGrid.whole(mesh).build();
        DimensionOrder ring = new DimensionOrder(grid, DirectionRule.RING);
        DimensionOrder straight = new DimensionOrder(grid, DirectionRule.MESH_AWARE);
        for (int at = 0; at < 7; at++) {
            for (int target = 0; target < 7; target++) {
                if (at != target) {
                    int group = at < target ? TorusGroup.plus(0) : TorusGroup.minus(0);
                    assertThat(straight.nextGroup(at, target)).isEqualTo(group);
                    assertThat(ring.nextGroup(at, target))
                            .as("the other way is broken at the edge")
                            .isEqualTo(group);
                    assertThat(straight.reason(at, target, SlToVlRule.END, group))
                            .isEqualTo(HopReason.SHORT_WAY);
                    assertThat(ring.reason(at, target, SlToVlRule.END, group))
                            .isEqualTo(mesh.wraps(0, at, target) ? HopReason.LONG_WAY : HopReason.SHORT_WAY);
                }
            }
        }
    }

    @Test
    void eachHopHasAReason() {
        TorusShape shape = TorusShape.torus(5, 5, 1);
        DimensionOrder broken = new DimensionOrder(
                TorusGrid.whole(shape).removeGroup(1, TorusGroup.plus(0)).build(), DirectionRule.RING);
        int end = SlToVlRule.END;
        assertThat(reason(broken, end, 0, 1)).isEqualTo(HopReason.SHORT_WAY);
        assertThat(reason(broken, end, 0, 2)).isEqualTo(HopReason.LONG_WAY);
        int turn = shape.position(2, 0, 0);
        DimensionOrder hole =
                new DimensionOrder(TorusGrid.whole(shape).removeSwitch(turn).build(), DirectionRule.RING);
        int target = shape.position(2, 1, 0);
        assertThat(reason(hole, end, 0, target)).isEqualTo(HopReason.TOWARDS_HOLE);
        assertThat(reason(hole, 0, 1, target)).isEqualTo(HopReason.EARLY_TURN);
        int early = shape.step(1, TorusGroup.plus(1));
        assertThat(hole.nextGroup(1, target)).isEqualTo(TorusGroup.plus(1));
        assertThat(reason(hole, 1, early, target)).isEqualTo(HopReason.ILLEGAL_TURN);
        assertThat(reason(hole, 0, early, target)).isEqualTo(HopReason.SHORT_WAY);
        assertThat(HopReason.values())
                .extracting(HopReason::text)
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    private static HopReason reason(DimensionOrder order, int inDimension, int at, int target) {
        return order.reason(at, target, inDimension, order.nextGroup(at, target));
    }

    @Test
    void whereThereIsNoWayThereIsNoGroup() {
        TorusShape line = TorusShape.of(new int[] {4, 1, 1}, new boolean[] {true, true, true});
        TorusGrid cut = TorusGrid.whole(line).removeGroup(1, TorusGroup.plus(0)).build();
        DimensionOrder order = new DimensionOrder(cut, DirectionRule.RING);
        assertThat(order.grid()).isSameAs(cut);
        assertThat(order.nextGroup(0, 1)).isEqualTo(TorusGroup.plus(0));
        assertThat(order.nextGroup(0, 2)).isEqualTo(TorusGroup.NONE);
        assertThat(order.nextGroup(2, 2)).isEqualTo(TorusGroup.END);
    }
}
