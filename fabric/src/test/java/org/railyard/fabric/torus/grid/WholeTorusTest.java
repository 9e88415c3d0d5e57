package org.railyard.fabric.torus.grid;

import org.junit.jupiter.api.Test;

/** What a whole torus depends on, against following each path (spec 30 §6, spec 32 §1). */
class WholeTorusTest {
    private static final int[][] RADICES = {
        {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {7, 1, 1}, {1, 4, 1}, {1, 1, 5}, {2, 2, 1}, {3, 4, 1}, {5, 1, 6}, {1, 6, 3},
        {2, 2, 2}, {3, 2, 4}, {4, 4, 4}, {5, 3, 4}, {6, 5, 2}
    };

    @Test
    void itIsThatOfAllPaths() {
        for (int[] radix : RADICES) {
            for (int open = 0; open < 8; open++) {
                boolean[] isOpen = {(open & 1) != 0, (open & 2) != 0, (open & 4) != 0};
                TorusShape shape = TorusShape.of(radix, isOpen);
                for (DirectionRule direction : DirectionRule.values()) {
                    DimensionOrder order = WholeTorus.order(shape, direction);
                    SlToVlRule rule = new SlToVlRule(1 << open % 4, 2);
                    new WalkedFlows(order, rule).assertSame(WholeTorus.dependencies(order, rule));
                }
            }
        }
    }
}
