package org.railyard.fabric.torus.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.qos.QosMode;

/** A judge who knows how things were says what one says who knows nothing (spec 30 §9.5). */
final class GridVerdictTest {
    private static final int CASES = 150;
    private static final int LOSSES = 6;

    private static TorusGrid changed(TorusGrid grid, SplittableRandom dice) {
        TorusGrid.Builder builder = grid.toBuilder();
        int at = dice.nextInt(grid.shape().positions());
        int group = dice.nextInt(TorusGroup.COUNT);
        int neighbour = grid.shape().step(at, group);
        if (neighbour >= 0 && grid.isPresent(at) && grid.isPresent(neighbour)) {
            if (grid.isCabled(at, group)) {
                builder.removeGroup(at, group);
            } else {
                builder.addGroup(at, group);
            }
        }
        if (dice.nextInt(12) == 0) {
            builder.removeSwitch(at);
        }
        return builder.build();
    }

    @Test
    void whatIsKnownChangesNoVerdict() {
        SplittableRandom dice = new SplittableRandom(41);
        int refused = 0;
        int more = 0;
        for (int i = 0; i < CASES; i++) {
            QosMode mode = QosMode.values()[i % QosMode.values().length];
            SlToVlRule rule = new SlToVlRule(i % 5 == 0 ? 2 : 8, 2);
            TorusGrid grid = TorusGrid.whole(TorusShape.torus(2 + i % 4, 2 + i / 4 % 4, 1 + i / 16 % 3))
                    .build();
            DimensionOrder order = new DimensionOrder(grid, DirectionRule.values()[i % 2]);
            GridVerdict before = GridVerdict.of(order, rule, mode);
            for (int loss = 0; loss < LOSSES && before.unicast().isPresent(); loss++) {
                grid = changed(grid, dice);
                DimensionOrder after = new DimensionOrder(grid, order.rule());
                GridVerdict exact = GridVerdict.of(after, rule, mode);
                GridVerdict found =
                        GridVerdict.knowing(before.unicast().get(), order, rule).of(after, rule, mode);
                assertThat(found.refusals()).isEqualTo(exact.refusals());
                assertThat(found.tree()).isEqualTo(exact.tree());
                assertThat(found.unicast().isPresent())
                        .isEqualTo(exact.unicast().isPresent());
                refused += found.routes() ? 0 : 1;
                more += exact.unicast()
                        .filter(least -> found.unicast().orElseThrow().dependencies() > least.dependencies())
                        .map(_ -> 1)
                        .orElse(0);
                before = found;
                order = after;
            }
        }
        assertThat(refused).isGreaterThan(CASES / 20);
        assertThat(more).as("verdicts by what is known").isGreaterThan(CASES / 4);
    }

    @Test
    void whatIsKnownByAnotherRuleForVlsDoesNotCount() {
        DimensionOrder order =
                new DimensionOrder(TorusGrid.whole(TorusShape.torus(5, 5, 1)).build(), DirectionRule.RING);
        SlToVlRule eight = new SlToVlRule(8, 2);
        GridVerdict before = GridVerdict.of(order, eight, QosMode.TWO_LEVELS);
        SlToVlRule one = new SlToVlRule(1, 1);
        GridVerdict verdict = GridVerdict.knowing(before.unicast().orElseThrow(), order, eight)
                .of(order, one, QosMode.TWO_LEVELS);
        assertThat(verdict.routes()).isFalse();
        assertThat(verdict.unicast()).isEqualTo(Optional.empty());
    }
}
