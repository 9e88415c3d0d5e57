package org.railyard.fabric.torus.grid;

import java.util.random.RandomGenerator;

/** Small tori and meshes, with a few switches and cables missing. */
final class RandomGrid {
    private RandomGrid() {}

    static TorusShape shape(RandomGenerator dice) {
        int[] radix = new int[TorusShape.DIMENSIONS];
        boolean[] open = new boolean[TorusShape.DIMENSIONS];
        for (int d = 0; d < radix.length; d++) {
            radix[d] = 1 + dice.nextInt(5);
            open[d] = dice.nextInt(4) == 0;
        }
        return TorusShape.of(radix, open);
    }

    /** Takes up to so many switches and cables away. */
    static TorusGrid damaged(TorusGrid grid, int most, RandomGenerator dice) {
        TorusGrid.Builder builder = grid.toBuilder();
        TorusShape shape = grid.shape();
        for (int i = dice.nextInt(most + 1); i > 0; i--) {
            int at = dice.nextInt(shape.positions());
            int group = dice.nextInt(TorusGroup.COUNT);
            if (dice.nextInt(3) == 0) {
                builder.removeSwitch(at);
            } else if (shape.step(at, group) >= 0) {
                builder.removeGroup(at, group);
            }
        }
        return builder.build();
    }

    static TorusGrid grid(int most, RandomGenerator dice) {
        return damaged(TorusGrid.whole(shape(dice)).build(), most, dice);
    }
}
