package org.railyard.fabric.torus.grid;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * What of a torus is there: which positions have a switch, and which neighbours are joined by at least one cable.
 * Everything that routing decides, it decides from this and from coordinates.
 *
 * <p>For each switch and group it keeps how far one can go that way along the ring before a gap, so that "can the
 * ring be walked from a to b" is one comparison. Immutable; any thread.
 */
public final class TorusGrid {
    private final TorusShape shape;
    private final BitSet present;
    /** By position and group: steps to the end of the unbroken run, at most radix − 1; 0 = no cable. */
    private final char[] reach;

    private TorusGrid(TorusShape shape, BitSet present, BitSet cabled) {
        this.shape = shape;
        this.present = present;
        this.reach = new char[shape.positions() * TorusGroup.COUNT];
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            for (int position = 0; position < shape.positions(); position++) {
                measure(position, group, cabled);
            }
        }
    }

    /** Fills in the reach of {@code position}; runs already measured are made use of. */
    private void measure(int position, int group, BitSet cabled) {
        int longest = shape.radix(TorusGroup.dimension(group)) - 1;
        int steps = 0;
        int at = position;
        while (steps < longest && cabled.get(at * TorusGroup.COUNT + group)) {
            at = shape.step(at, group);
            steps++;
            int known = reach[at * TorusGroup.COUNT + group];
            if (known > 0) {
                steps = Math.min(longest, steps + known);
                // A full ring: whoever follows has the same reach, which the minimum has capped.
                break;
            }
        }
        reach[position * TorusGroup.COUNT + group] = (char) steps;
    }

    /** Starts a grid without any switch and cable. */
    public static Builder empty(TorusShape shape) {
        return new Builder(shape, new BitSet(), new BitSet());
    }

    /** Starts a grid in which nothing is missing. */
    public static Builder whole(TorusShape shape) {
        Builder builder = empty(shape);
        builder.present.set(0, shape.positions());
        for (int position = 0; position < shape.positions(); position++) {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                builder.cabled.set(position * TorusGroup.COUNT + group, shape.step(position, group) >= 0);
            }
        }
        return builder;
    }

    /** Starts a grid from what is there now. */
    public Builder toBuilder() {
        BitSet cabled = new BitSet(reach.length);
        for (int i = 0; i < reach.length; i++) {
            cabled.set(i, reach[i] > 0);
        }
        return new Builder(shape, (BitSet) present.clone(), cabled);
    }

    /** Returns the size and the coordinates. */
    public TorusShape shape() {
        return shape;
    }

    /** Tells whether there is a switch at {@code position}. */
    public boolean isPresent(int position) {
        return present.get(position);
    }

    /** Returns the number of switches. */
    public int switches() {
        return present.cardinality();
    }

    /** Returns the positions with a switch, ascending. */
    public IntStream present() {
        return present.stream();
    }

    /** Returns the positions without a switch, ascending. */
    public IntStream missing() {
        return IntStream.range(0, shape.positions()).filter(position -> !present.get(position));
    }

    /** Tells whether at least one cable leads from {@code position} to its neighbour in {@code group}. */
    public boolean isCabled(int position, int group) {
        return reach[position * TorusGroup.COUNT + group] > 0;
    }

    /**
     * Returns how many steps one can go from {@code position} in the direction of {@code group} before a gap, at most
     * radix − 1.
     */
    public int reach(int position, int group) {
        return reach[position * TorusGroup.COUNT + group];
    }

    /** Tells whether the ring of {@code position} in {@code dimension} has a switch at every coordinate. */
    public boolean ringHasAllSwitches(int position, int dimension) {
        for (int c = 0; c < shape.radix(dimension); c++) {
            if (!present.get(shape.with(position, dimension, c))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TorusGrid that
                && shape.equals(that.shape)
                && present.equals(that.present)
                && Arrays.equals(reach, that.reach);
    }

    @Override
    public int hashCode() {
        return 31 * present.hashCode() + Arrays.hashCode(reach);
    }

    /** Collects switches and cables of a grid. Not thread safe. */
    public static final class Builder {
        private final TorusShape shape;
        private final BitSet present;
        private final BitSet cabled;

        private Builder(TorusShape shape, BitSet present, BitSet cabled) {
            this.shape = shape;
            this.present = present;
            this.cabled = cabled;
        }

        /** Adds a switch. */
        public Builder addSwitch(int position) {
            present.set(position);
            return this;
        }

        /**
         * Joins {@code position} to its neighbour in {@code group}.
         *
         * @throws IllegalArgumentException if the shape has no neighbour there
         */
        public Builder addGroup(int position, int group) {
            return group(position, group, true);
        }

        /** Removes a switch and all its cables. */
        public Builder removeSwitch(int position) {
            present.clear(position);
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (shape.step(position, group) >= 0) {
                    group(position, group, false);
                }
            }
            return this;
        }

        /**
         * Removes all cables between {@code position} and its neighbour in {@code group}.
         *
         * @throws IllegalArgumentException if the shape has no neighbour there
         */
        public Builder removeGroup(int position, int group) {
            return group(position, group, false);
        }

        private Builder group(int position, int group, boolean there) {
            int neighbour = shape.step(position, group);
            if (neighbour < 0) {
                throw new IllegalArgumentException(
                        shape.name(position) + " has no neighbour in direction " + TorusGroup.name(group));
            }
            cabled.set(position * TorusGroup.COUNT + group, there);
            cabled.set(neighbour * TorusGroup.COUNT + TorusGroup.opposite(group), there);
            return this;
        }

        /** Returns the grid as it is now. */
        public TorusGrid build() {
            return new TorusGrid(shape, (BitSet) present.clone(), cabled);
        }
    }
}
