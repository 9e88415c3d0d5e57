package org.railyard.fabric.torus.tables;

import java.util.Arrays;
import java.util.BitSet;
import org.railyard.fabric.torus.conf.TorusSeed;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The order in which OpenSM 3.3.23 finds the places of a torus: the seed first, then cells of two or four faces again
 * and again, each as far as it can be filled (spec 30 §3.1). Nothing depends on it but which of several parallel cables
 * a destination gets.
 *
 * <p>It is known exactly for whole tori and for few failures; with several cables missing from a torus of three
 * dimensions OpenSM may take another order. One run over one grid; not thread safe.
 */
public final class OpenSmOrder {
    private static final int FOUR = 4;
    /**
     * Faces beside a corner with three neighbours: the dimensions that are crossed to its far end, in the order of
     * search.
     */
    private static final int[] ACROSS_FACES = {0b011, 0b101, 0b110};

    private final TorusGrid grid;
    private final TorusShape shape;
    private final int[] order;
    private final BitSet placed = new BitSet();
    private int count;
    /**
     * Bits of the dimensions that are there. A corner of a cell has the bit of each dimension in which it is at the
     * upper side.
     */
    private int active;
    /** By corner: its position. */
    private final int[] cell = new int[1 << TorusShape.DIMENSIONS];

    private OpenSmOrder(TorusGrid grid) {
        this.grid = grid;
        this.shape = grid.shape();
        this.order = new int[grid.switches()];
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            active |= shape.active(d) ? 1 << d : 0;
        }
    }

    /** Returns the positions with a switch; those that OpenSM would not have found, if any, are the last, ascending. */
    public static int[] of(TorusGrid grid, TorusSeed seed) {
        OpenSmOrder run = new OpenSmOrder(grid);
        int start = seed.position(run.shape);
        run.place(start);
        for (int group : new int[] {1, 0, 3, 2, 5, 4}) {
            if (seed.links().containsKey(group)) {
                int d = TorusGroup.dimension(group);
                run.place(run.shape.with(start, d, run.shape.coordinate(start, d) + TorusGroup.sign(group)));
            }
        }
        while (run.pass()) {
            // Until nothing more is found.
        }
        grid.present().forEach(run::place);
        return run.order;
    }

    private boolean pass() {
        boolean found = false;
        for (int base = 0; base < shape.positions(); base++) {
            if (enter(base)) {
                while (extend()) {
                    found = true;
                }
            }
        }
        return found;
    }

    /** Looks at the cell whose lowest corner is at {@code base}; false if the shape has none there. */
    private boolean enter(int base) {
        for (int corner = 0; corner < cell.length; corner++) {
            cell[corner] = base;
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                if ((corner & active & 1 << d) != 0 && cell[corner] >= 0) {
                    cell[corner] = shape.step(cell[corner], TorusGroup.plus(d));
                }
            }
            if (cell[corner] < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean extend() {
        int[] missing = corners(false);
        int[] occupied = corners(true);
        if (missing.length == 0 || Integer.bitCount(active) < 2) {
            return false;
        }
        int[] candidates = byCorner(occupied, missing);
        if (candidates.length > 0) {
            return Arrays.stream(candidates).anyMatch(target -> isFourthOfAFace(target) && place(cell[target]));
        }
        int side = side(occupied);
        if (side < 0 || occupied.length < Integer.bitCount(active)) {
            return false;
        }
        return Arrays.stream(opposite(side, occupied[0]))
                .anyMatch(target -> isStraightOn(target, side) && place(cell[target]));
    }

    private int[] corners(boolean wanted) {
        int[] found = new int[cell.length];
        int next = 0;
        for (int corner = 0; corner < cell.length; corner++) {
            if ((corner & ~active) == 0 && placed.get(cell[corner]) == wanted) {
                found[next++] = corner;
            }
        }
        return Arrays.copyOf(found, next);
    }

    /**
     * Returns the corners that the rule of the fourth corner of a face is tried for, in that order; none if it is not
     * tried.
     */
    private int[] byCorner(int[] occupied, int[] missing) {
        boolean flat = Integer.bitCount(active) == 2;
        boolean tried = switch (missing.length) {
            case 1 -> true;
            case 2 -> !flat && Integer.bitCount(missing[0] ^ missing[1]) == 1;
            case 3 -> !flat && side(missing) >= 0;
            default -> false;
        };
        if (tried || flat || missing.length != FOUR) {
            return tried ? missing : new int[0];
        }
        for (int centre : occupied) {
            if (Arrays.stream(occupied).allMatch(other -> Integer.bitCount(centre ^ other) <= 1)) {
                return Arrays.stream(ACROSS_FACES)
                        .map(across -> centre ^ across)
                        .toArray();
            }
        }
        return new int[0];
    }

    /** Returns the last dimension in which all these corners are at one side, −1 if there is none. */
    private int side(int[] corners) {
        int differ = 0;
        for (int corner : corners) {
            differ |= corner ^ corners[0];
        }
        int same = active & ~differ;
        return corners.length == 0 || same == 0 ? -1 : Integer.numberOfTrailingZeros(Integer.highestOneBit(same));
    }

    /**
     * Returns the corners at the other side, in the order of search: in three dimensions from both upper to both lower.
     */
    private int[] opposite(int side, int occupied) {
        int far = ~occupied & 1 << side;
        int[] others = new int[2];
        int next = 0;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            if (d != side && (active & 1 << d) != 0) {
                others[next++] = 1 << d;
            }
        }
        return next == 1
                ? new int[] {far, far | others[0]}
                : new int[] {far | others[0] | others[1], far | others[1], far | others[0], far};
    }

    /** Tells whether {@code target} has cables to two placed switches with a placed common neighbour in this cell. */
    private boolean isFourthOfAFace(int target) {
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            for (int e = d + 1; e < TorusShape.DIMENSIONS; e++) {
                int one = target ^ 1 << d;
                int two = target ^ 1 << e;
                if ((active & 1 << d) != 0
                        && (active & 1 << e) != 0
                        && isPlaced(one)
                        && isPlaced(two)
                        && isPlaced(one ^ 1 << e)
                        && isCabled(target, d)
                        && isCabled(target, e)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Tells whether {@code target} follows straight on in {@code side} from a placed switch whose faces lead there. */
    private boolean isStraightOn(int target, int side) {
        int base = target ^ 1 << side;
        if (!isPlaced(base) || !isCabled(target, side)) {
            return false;
        }
        int away = (base & 1 << side) != 0 ? TorusGroup.plus(side) : TorusGroup.minus(side);
        int behind = shape.step(cell[base], away);
        if (behind >= 0 && !placed.get(behind)) {
            return false;
        }
        for (int e = 0; e < TorusShape.DIMENSIONS; e++) {
            if (e == side || !shape.active(e)) {
                continue;
            }
            boolean face = isPlaced(base ^ 1 << e) && isCabled(target, e) && isCabled(target ^ 1 << e, side);
            if (!face || isAmbiguous(cell[base], e)) {
                return false;
            }
        }
        return true;
    }

    /** A closed ring of four looks like a face, unless at least two others on it are placed. */
    private boolean isAmbiguous(int position, int dimension) {
        int others = 0;
        for (int c = 0; c < shape.radix(dimension); c++) {
            int other = shape.with(position, dimension, c);
            others += other != position && placed.get(other) ? 1 : 0;
        }
        return shape.radix(dimension) == FOUR && !shape.open(dimension) && others < 2;
    }

    private boolean isPlaced(int corner) {
        return placed.get(cell[corner]);
    }

    /** Tells whether a cable leads from a corner along {@code dimension} to the next corner of the cell. */
    private boolean isCabled(int corner, int dimension) {
        int group = (corner & 1 << dimension) != 0 ? TorusGroup.minus(dimension) : TorusGroup.plus(dimension);
        return grid.isCabled(cell[corner], group);
    }

    private boolean place(int position) {
        if (!grid.isPresent(position) || placed.get(position)) {
            return false;
        }
        placed.set(position);
        order[count++] = position;
        return true;
    }
}
