package org.railyard.fabric.torus.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.qos.QosMode;

/** What is decided by what is missing is what is decided by all paths (spec 30 §9.5). */
final class GridVerdictTest {
    private static final int CASES = 1500;

    private static TorusGrid damaged(TorusGrid whole, int losses, SplittableRandom dice) {
        TorusGrid.Builder builder = whole.toBuilder();
        for (int i = 0; i < losses; i++) {
            int at = dice.nextInt(whole.shape().positions());
            int group = dice.nextInt(TorusGroup.COUNT);
            if (dice.nextInt(4) == 0) {
                builder.removeSwitch(at);
            } else if (whole.shape().step(at, group) >= 0) {
                builder.removeGroup(at, group);
            }
        }
        return builder.build();
    }

    @Test
    void whatIsMissingIsEnough() {
        SplittableRandom dice = new SplittableRandom(41);
        int refused = 0;
        int routed = 0;
        for (int i = 0; i < CASES; i++) {
            QosMode mode = QosMode.values()[i % QosMode.values().length];
            SlToVlRule rule = new SlToVlRule(i % 5 == 0 ? 2 : 8, 2);
            TorusShape shape = TorusShape.torus(2 + i % 4, 2 + i / 4 % 4, 1 + i / 16 % 3);
            TorusGrid grid = damaged(TorusGrid.whole(shape).build(), dice.nextInt(5), dice);
            DimensionOrder order = new DimensionOrder(grid, DirectionRule.values()[i % 2]);
            GridVerdict verdict = GridVerdict.of(order, rule, mode);
            assertThat(verdict).isEqualTo(GridVerdict.ofAllPaths(order, rule, mode));
            routed += verdict.routes() ? 1 : 0;
            refused += verdict.routes() ? 0 : 1;
        }
        assertThat(routed).isGreaterThan(CASES / 3);
        assertThat(refused).isGreaterThan(CASES / 10);
    }
}
