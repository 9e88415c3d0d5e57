package org.railyard.fabric.torus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusShape;

/** Writes grids as the specification does: dimensions, missing switches, broken groups. */
final class GridText {
    private GridText() {}

    /** Returns a torus of {@code "6 5 1"} without the switches {@code "3,1 3,2"} and the groups {@code "1,1-2,1"}. */
    static TorusGrid grid(String dims, @Nullable String missing, @Nullable String broken) {
        int[] radix = numbers(dims, " ");
        return without(TorusShape.torus(radix[0], radix[1], radix[2]), missing, broken);
    }

    /** Returns a mesh of {@code "6 5 1"} without the switches {@code "3,1 3,2"}. */
    static TorusGrid mesh(String dims, @Nullable String missing) {
        return without(TorusShape.of(numbers(dims, " "), new boolean[] {true, true, true}), missing, "");
    }

    static TorusGrid without(TorusShape shape, @Nullable String missing, @Nullable String broken) {
        TorusGrid.Builder grid = TorusGrid.whole(shape);
        for (int position : positions(shape, missing)) {
            grid.removeSwitch(position);
        }
        for (String group : words(broken)) {
            String[] ends = group.split("-");
            int from = position(shape, ends[0]);
            grid.removeGroup(from, shape.groupBetween(from, position(shape, ends[1])));
        }
        return grid.build();
    }

    /** Returns positions of {@code "1,1 2,1,3"}; a missing z is 0. */
    static List<Integer> positions(TorusShape shape, @Nullable String text) {
        List<Integer> positions = new ArrayList<>();
        for (String word : words(text)) {
            positions.add(position(shape, word));
        }
        return positions;
    }

    private static int position(TorusShape shape, String word) {
        int[] c = Arrays.copyOf(numbers(word, ","), 3);
        return shape.position(c[0], c[1], c[2]);
    }

    private static List<String> words(@Nullable String text) {
        return text == null || text.isBlank() ? List.of() : List.of(text.strip().split(" "));
    }

    private static int[] numbers(String text, String separator) {
        return Arrays.stream(text.strip().split(separator))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
