package org.railyard.fabric.torus.grid;

import java.util.Arrays;

/**
 * Size of a torus or mesh, and the arithmetic of its coordinates (spec 30 §3.4, §4).
 *
 * <p>A position is one number, {@code x + nx (y + ny z)}: ascending positions are the order k, j, i of the
 * specification. Immutable; any thread.
 */
public final class TorusShape {
    /** Number of dimensions; an absent one has radix 1. */
    public static final int DIMENSIONS = 3;

    /** Most positions: each switch needs a LID, and there are 0xBFFF unicast LIDs. */
    public static final int MAX_POSITIONS = 0xBFFF;

    private static final char NOWHERE = 0xFFFF;

    private final int[] radix;
    private final boolean[] open;
    private final int[] stride;
    private final int positions;
    /** By dimension and position; a table, because the inner loops of routing ask for little else. */
    private final char[][] coordinates;
    /** By position and group: the neighbour, {@link #NOWHERE} if there is none; a table for the same reason. */
    private final char[] neighbours;

    private TorusShape(int[] radix, boolean[] open) {
        this.radix = radix.clone();
        this.open = open.clone();
        this.stride = new int[DIMENSIONS];
        long count = 1;
        for (int d = 0; d < DIMENSIONS; d++) {
            if (radix[d] < 1) {
                throw new IllegalArgumentException("radix of " + "xyz".charAt(d) + " is " + radix[d] + ", less than 1");
            }
            // Both cables of a closed ring of two would join the same two switches: always a mesh.
            this.open[d] |= radix[d] <= 2;
            stride[d] = (int) count;
            count *= radix[d];
            if (count > MAX_POSITIONS) {
                throw new IllegalArgumentException(
                        "more than " + MAX_POSITIONS + " positions, the number of unicast LIDs");
            }
        }
        this.positions = (int) count;
        this.coordinates = new char[DIMENSIONS][positions];
        for (int d = 0; d < DIMENSIONS; d++) {
            for (int position = 0; position < positions; position++) {
                coordinates[d][position] = (char) (position / stride[d] % radix[d]);
            }
        }
        this.neighbours = new char[positions * TorusGroup.COUNT];
        for (int i = 0; i < neighbours.length; i++) {
            neighbours[i] = neighbour(i / TorusGroup.COUNT, i % TorusGroup.COUNT);
        }
    }

    /**
     * Returns the shape with the radices {@code x}, {@code y}, {@code z}, all dimensions closed (radix 2 and less:
     * open).
     *
     * @throws IllegalArgumentException if a radix is below 1 or there are more than {@link #MAX_POSITIONS} positions
     */
    public static TorusShape torus(int x, int y, int z) {
        return new TorusShape(new int[] {x, y, z}, new boolean[DIMENSIONS]);
    }

    /**
     * Tells whether all switches are on one ring or line of three or more, in which torus-2QoS places only those of the
     * seed: it goes by faces of four switches (spec 30 §3.2).
     */
    public boolean isOneLine() {
        return positions > 2 && Arrays.stream(radix).filter(each -> each == 1).count() == DIMENSIONS - 1;
    }

    /**
     * Returns the shape with the given radices and open dimensions, three of each.
     *
     * @throws IllegalArgumentException if a radix is below 1 or there are more than {@link #MAX_POSITIONS} positions
     */
    public static TorusShape of(int[] radix, boolean[] open) {
        if (radix.length != DIMENSIONS || open.length != DIMENSIONS) {
            throw new IllegalArgumentException("a shape has three dimensions");
        }
        return new TorusShape(radix, open);
    }

    /** Returns the number of positions, 1 to {@link #MAX_POSITIONS}. */
    public int positions() {
        return positions;
    }

    /** Returns the radix of {@code dimension}: 1 if it is absent. */
    public int radix(int dimension) {
        return radix[dimension];
    }

    /** Tells whether nothing wraps in {@code dimension}: a mesh, or a radix of at most 2. */
    public boolean open(int dimension) {
        return open[dimension];
    }

    /** Tells whether {@code dimension} has more than one coordinate. */
    public boolean active(int dimension) {
        return radix[dimension] > 1;
    }

    /** Returns the position at the given coordinates, each taken modulo its radix. */
    public int position(int x, int y, int z) {
        return Math.floorMod(x, radix[0])
                + stride[1] * Math.floorMod(y, radix[1])
                + stride[2] * Math.floorMod(z, radix[2]);
    }

    /** Returns the coordinate of {@code position} in {@code dimension}. */
    public int coordinate(int position, int dimension) {
        return coordinates[dimension][position];
    }

    /** Returns {@code position} with the coordinate of {@code dimension} replaced, taken modulo the radix. */
    public int with(int position, int dimension, int coordinate) {
        return position
                + (Math.floorMod(coordinate, radix[dimension]) - coordinate(position, dimension)) * stride[dimension];
    }

    private char neighbour(int position, int group) {
        int d = TorusGroup.dimension(group);
        int next = coordinate(position, d) + TorusGroup.sign(group);
        if (next >= 0 && next < radix[d]) {
            return (char) (position + TorusGroup.sign(group) * stride[d]);
        }
        return open[d] ? NOWHERE : (char) with(position, d, next);
    }

    /** Returns the neighbour that {@code group} leads to, or −1 if the shape has none there. */
    public int step(int position, int group) {
        char next = neighbours[position * TorusGroup.COUNT + group];
        return next == NOWHERE ? -1 : next;
    }

    /**
     * Returns the group that leads from {@code from} to {@code to}, or {@link TorusGroup#NONE} if they are no
     * neighbours.
     */
    public int groupBetween(int from, int to) {
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            if (step(from, group) == to) {
                return group;
            }
        }
        return TorusGroup.NONE;
    }

    /**
     * Tells whether the short way between the coordinates {@code a} and {@code b} crosses the dateline; a tie does not.
     * Open dimensions use the same formula, so that an SL depends on nothing but coordinates.
     */
    public boolean wraps(int dimension, int a, int b) {
        int direct = Math.abs(a - b);
        return direct > radix[dimension] - direct;
    }

    /** Returns the sign of the short way from coordinate {@code a} to {@code b}; 0 if they are equal. */
    public int direction(int dimension, int a, int b) {
        int sign = Integer.signum(b - a);
        return wraps(dimension, a, b) ? -sign : sign;
    }

    /** Returns SL bits 0 to 2 of paths between two positions: one dateline bit per dimension (spec 30 §5). */
    public int datelineBits(int from, int to) {
        int bits = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            if (wraps(d, coordinate(from, d), coordinate(to, d))) {
                bits |= 1 << d;
            }
        }
        return bits;
    }

    /** Returns the coordinates for people: {@code (x,y,z)}. */
    public String name(int position) {
        return "(" + coordinate(position, 0) + "," + coordinate(position, 1) + "," + coordinate(position, 2) + ")";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TorusShape that && Arrays.equals(radix, that.radix) && Arrays.equals(open, that.open);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(radix) + Arrays.hashCode(open);
    }

    /** Returns the shape as the configuration file spells it, for example {@code 5 x 4M x 3}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < DIMENSIONS; d++) {
            text.append(d == 0 ? "" : " x ").append(radix[d]).append(open[d] && radix[d] > 2 ? "M" : "");
        }
        return text.toString();
    }
}
