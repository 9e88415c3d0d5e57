package org.railyard.fabric.torus.grid;

import java.util.Arrays;

/**
 * Dimension-order routing with the long way round, early and illegal turns: the next group from each switch to each
 * destination switch (spec 30 §6). A pure function of the grid; immutable, any thread.
 */
public final class DimensionOrder {
    private static final int LAST = TorusShape.DIMENSIONS - 1;

    private final TorusGrid grid;
    private final TorusShape shape;
    private final DirectionRule rule;

    /** Creates the routing of {@code grid}. */
    public DimensionOrder(TorusGrid grid, DirectionRule rule) {
        this.grid = grid;
        this.shape = grid.shape();
        this.rule = rule;
    }

    /** Returns the grid that is routed. */
    public TorusGrid grid() {
        return grid;
    }

    /** Returns the rule for open dimensions. */
    public DirectionRule rule() {
        return rule;
    }

    /**
     * Returns the group to leave {@code at} by for the switch at {@code target}, {@link TorusGroup#END} if it is this
     * one, or {@link TorusGroup#NONE} if there is no way. O(1).
     */
    public int nextGroup(int at, int target) {
        if (at == target) {
            return TorusGroup.END;
        }
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            int coordinate = shape.coordinate(target, d);
            if (coordinate != shape.coordinate(at, d)) {
                int group = attempt(at, d, coordinate);
                if (group != TorusGroup.NONE) {
                    return group;
                }
            }
        }
        return TorusGroup.NONE;
    }

    /**
     * Returns why {@link #nextGroup} answers {@code group}, given the dimension the path came in by (3 = from an end
     * port).
     */
    public HopReason reason(int at, int target, int inDimension, int group) {
        int d = TorusGroup.dimension(group);
        if (inDimension < TorusShape.DIMENSIONS && inDimension > d) {
            return HopReason.ILLEGAL_TURN;
        }
        for (int earlier = 0; earlier < d; earlier++) {
            if (shape.coordinate(at, earlier) != shape.coordinate(target, earlier)) {
                return HopReason.EARLY_TURN;
            }
        }
        int coordinate = shape.coordinate(target, d);
        if (!grid.isPresent(shape.with(at, d, coordinate))) {
            return HopReason.TOWARDS_HOLE;
        }
        return group == preferred(at, d, coordinate) ? HopReason.SHORT_WAY : HopReason.LONG_WAY;
    }

    /**
     * Fills {@code groups} with the next group from {@code at} to each position: what {@link #nextGroup} says, for a
     * whole row in O(positions) with a small constant. Positions without a switch get what a switch there would get.
     *
     * <p>The answer in one dimension depends on that coordinate of the target only, so a row is made of three short
     * tables.
     *
     * @param groups as long as there are positions
     */
    public void row(int at, byte[] groups) {
        byte[] inX = attempts(at, 0);
        byte[] inY = attempts(at, 1);
        byte[] inZ = attempts(at, 2);
        int nx = inX.length;
        int ownX = shape.coordinate(at, 0);
        int ownY = shape.coordinate(at, 1);
        int ownZ = shape.coordinate(at, 2);
        boolean anyBlockedInX = false;
        for (int i = 0; i < nx; i++) {
            anyBlockedInX |= i != ownX && inX[i] == TorusGroup.NONE;
        }
        int line = 0;
        for (int k = 0; k < inZ.length; k++) {
            for (int j = 0; j < inY.length; j++) {
                byte later = j != ownY && inY[j] != TorusGroup.NONE ? inY[j] : inZ[k];
                System.arraycopy(inX, 0, groups, line, nx);
                groups[line + ownX] = j == ownY && k == ownZ ? TorusGroup.END : later;
                if (anyBlockedInX) {
                    unblock(groups, line, nx, later);
                }
                line += nx;
            }
        }
    }

    private static void unblock(byte[] groups, int line, int nx, byte later) {
        for (int i = line; i < line + nx; i++) {
            if (groups[i] == TorusGroup.NONE) {
                groups[i] = later;
            }
        }
    }

    /** Returns the group for each target coordinate of {@code dimension}; the own coordinate has none. */
    private byte[] attempts(int at, int dimension) {
        byte[] groups = new byte[shape.radix(dimension)];
        int own = shape.coordinate(at, dimension);
        Arrays.fill(groups, (byte) TorusGroup.NONE);
        for (int c = 0; c < groups.length; c++) {
            if (c != own) {
                groups[c] = (byte) attempt(at, dimension, c);
            }
        }
        return groups;
    }

    private int attempt(int at, int dimension, int coordinate) {
        int group = preferred(at, dimension, coordinate);
        if (dimension != LAST && !grid.isPresent(shape.with(at, dimension, coordinate))) {
            return grid.isCabled(at, group) ? group : TorusGroup.NONE;
        }
        int distance = Math.floorMod(
                (coordinate - shape.coordinate(at, dimension)) * TorusGroup.sign(group), shape.radix(dimension));
        if (grid.reach(at, group) >= distance) {
            return group;
        }
        int other = TorusGroup.opposite(group);
        return grid.reach(at, other) >= shape.radix(dimension) - distance ? other : TorusGroup.NONE;
    }

    private int preferred(int at, int dimension, int coordinate) {
        int own = shape.coordinate(at, dimension);
        boolean straight = rule == DirectionRule.MESH_AWARE && shape.open(dimension);
        return TorusGroup.of(dimension, straight ? coordinate - own : shape.direction(dimension, own, coordinate));
    }
}
