package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is there of a torus, and how far one can go in it. */
class TorusGridTest {
    private static final int CASES = 80;

    private static int reachByWalking(TorusGrid grid, int from, int group) {
        int steps = 0;
        int at = from;
        while (steps < grid.shape().radix(TorusGroup.dimension(group)) - 1 && grid.isCabled(at, group)) {
            at = grid.shape().step(at, group);
            steps++;
        }
        return steps;
    }

    @Test
    void theReachIsHowFarOneCanWalk() {
        SplittableRandom dice = new SplittableRandom(3);
        for (int i = 0; i < CASES; i++) {
            TorusGrid grid = RandomGrid.grid(12, dice);
            TorusShape shape = grid.shape();
            int switches = 0;
            for (int at = 0; at < shape.positions(); at++) {
                switches += grid.isPresent(at) ? 1 : 0;
                for (int group = 0; group < TorusGroup.COUNT; group++) {
                    assertThat(grid.reach(at, group)).isEqualTo(reachByWalking(grid, at, group));
                    if (grid.isCabled(at, group)) {
                        int far = shape.step(at, group);
                        assertThat(grid.isPresent(at) && grid.isPresent(far)).isTrue();
                        assertThat(grid.isCabled(far, TorusGroup.opposite(group)))
                                .isTrue();
                    }
                }
            }
            assertThat(grid.switches()).isEqualTo(switches);
            assertThat(grid.present().allMatch(grid::isPresent)).isTrue();
            assertThat(grid.missing().noneMatch(grid::isPresent)).isTrue();
            assertThat(grid.present().count() + grid.missing().count()).isEqualTo(shape.positions());
            assertThat(grid.toBuilder().build()).isEqualTo(grid).hasSameHashCodeAs(grid);
        }
    }

    @Test
    void switchesAndCablesComeAndGo() {
        TorusShape shape = TorusShape.of(new int[] {4, 3, 1}, new boolean[] {true, false, false});
        TorusGrid whole = TorusGrid.whole(shape).build();
        TorusGrid.Builder builder = TorusGrid.empty(shape);
        for (int at = 0; at < shape.positions(); at++) {
            builder.addSwitch(at);
        }
        TorusGrid bare = builder.build();
        assertThat(bare).isNotEqualTo(whole);
        assertThat(bare.hashCode()).isNotEqualTo(whole.hashCode());
        for (int at = 0; at < shape.positions(); at++) {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (shape.step(at, group) >= 0) {
                    builder.addGroup(at, group);
                }
            }
        }
        assertThat(builder.build()).isEqualTo(whole);
        assertThat(builder.removeSwitch(1).build().ringHasAllSwitches(0, 0)).isFalse();
        assertThat(whole.ringHasAllSwitches(0, 0)).isTrue();
        assertThat(builder.build().ringHasAllSwitches(0, 1)).isTrue();
        assertThat(builder.addSwitch(1).build()).as("without its cables").isNotEqualTo(whole);
        assertThat(whole)
                .isNotEqualTo("whole")
                .isNotEqualTo(TorusGrid.whole(TorusShape.torus(4, 3, 1)).build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.addGroup(0, TorusGroup.minus(0)))
                .withMessageContaining("(0,0,0) has no neighbour in direction -x");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.removeGroup(3, TorusGroup.plus(0)));
    }

    @Test
    void aBuilderStartsFromWhatIsThere() {
        TorusGrid whole = TorusGrid.whole(TorusShape.torus(3, 3, 3)).build();
        TorusGrid less = whole.toBuilder().removeSwitch(4).removeGroup(0, 1).build();
        assertThat(whole.isPresent(4)).isTrue();
        assertThat(whole.isCabled(0, 1)).isTrue();
        assertThat(less.isPresent(4)).isFalse();
        assertThat(less.isCabled(0, 1)).isFalse();
        assertThat(less.isCabled(1, 0)).isFalse();
        assertThat(less.missing()).containsExactly(4);
    }
}
