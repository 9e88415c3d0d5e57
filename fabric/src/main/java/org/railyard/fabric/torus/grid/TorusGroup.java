package org.railyard.fabric.torus.grid;

/**
 * Numbers of the port groups of a switch in a torus: {@code 2d} leads to the lower, {@code 2d + 1} to the higher
 * neighbour in dimension {@code d} (0 = x, 1 = y, 2 = z), {@link #END} to the end ports (spec 30 §3.3).
 *
 * <p>Plain numbers and not an enum: they index the compact arrays that the tables are computed from.
 */
public final class TorusGroup {
    /** Number of groups that lead to other switches. */
    public static final int COUNT = 6;

    /** The group of end ports: CAs, routers and the management port. */
    public static final int END = 6;

    /** No group: there is no way. */
    public static final int NONE = -1;

    private TorusGroup() {}

    /** Returns the group that leads to the lower coordinate in {@code dimension}. */
    public static int minus(int dimension) {
        return 2 * dimension;
    }

    /** Returns the group that leads to the higher coordinate in {@code dimension}. */
    public static int plus(int dimension) {
        return 2 * dimension + 1;
    }

    /** Returns the group of {@code dimension} with the sign of {@code direction}: minus if negative, else plus. */
    public static int of(int dimension, int direction) {
        return direction < 0 ? minus(dimension) : plus(dimension);
    }

    /** Returns the group at the far end of the cables of {@code group}. */
    public static int opposite(int group) {
        return group ^ 1;
    }

    /** Returns the dimension, 0 to 2, that {@code group} moves in; 3 for {@link #END}. */
    public static int dimension(int group) {
        return group >> 1;
    }

    /** Returns the step of the coordinate: −1 or +1. */
    public static int sign(int group) {
        return (group & 1) == 0 ? -1 : 1;
    }

    /** Returns the name people use: {@code -x} to {@code +z}, or {@code end}. */
    public static String name(int group) {
        return group == END ? "end" : (sign(group) < 0 ? "-" : "+") + "xyz".charAt(dimension(group));
    }
}
