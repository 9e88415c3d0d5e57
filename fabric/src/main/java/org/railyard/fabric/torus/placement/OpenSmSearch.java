package org.railyard.fabric.torus.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The search of OpenSM 3.3.23 for the places of switches: the seed first, then cells of two or four faces again and
 * again, each as far as it can be filled (spec 30 §3.1). Its order decides which of several parallel cables a
 * destination gets. It takes the first switch that fits, so it may find one a second time for another place: then
 * OpenSM refuses the fabric.
 *
 * <p>One run over one seed; not thread safe.
 */
public final class OpenSmSearch {
    private static final int EMPTY = -1;
    private static final int FOUR = 4;
    private static final int XY = 0b011;
    private static final int XZ = 0b101;
    private static final int YZ = 0b110;
    /** The dimensions of a face, in the order of search. */
    private static final int[] FACES = {XY, XZ, YZ};
    /**
     * By the only corner of a cell of three dimensions that is missing: the face in which alone it is looked for. Where
     * a cable of that face is missing, too, the corner waits for another cell, which a torus has and the end of an open
     * dimension may not have.
     */
    private static final int[][] FACE_OF_LAST_CORNER = {{XY}, {XZ}, {YZ}, {XY}, {XZ}, {XZ}, {YZ}, {XY}};

    private final TorusShape shape;
    private final SwitchGraph graph;
    /** By position: its switch. */
    private final int[] switchAt;
    /** By switch: the place where it was found first. */
    private final int[] positionOf;
    /** By switch and neighbour, as in the graph: whether both are known to be neighbours in the torus. */
    private final boolean[][] absorbed;

    private final List<Integer> order = new ArrayList<>();
    private @Nullable Twice twice;
    /**
     * Bits of the dimensions that are there. A corner of a cell has the bit of each dimension in which it is at the
     * upper side.
     */
    private int active;
    /** By corner: its position. */
    private final int[] cell = new int[1 << TorusShape.DIMENSIONS];

    private OpenSmSearch(TorusShape shape, SwitchGraph graph) {
        this.shape = shape;
        this.graph = graph;
        switchAt = new int[shape.positions()];
        positionOf = new int[graph.switches()];
        Arrays.fill(switchAt, EMPTY);
        Arrays.fill(positionOf, EMPTY);
        absorbed = new boolean[graph.switches()][];
        for (int at = 0; at < absorbed.length; at++) {
            absorbed[at] = new boolean[graph.neighbours(at).length];
        }
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            active |= shape.active(d) ? 1 << d : 0;
        }
    }

    /**
     * A switch that was found for two places.
     *
     * @param node its index
     * @param first the place where it was found first
     * @param second the other one
     */
    public record Twice(int node, int first, int second) {}

    /** Searches; the arguments are those of {@link PositionSearch#run}. */
    static OpenSmSearch run(
            TorusShape shape, SwitchGraph graph, int seedSwitch, int[] seedNeighbours, int seedPosition) {
        OpenSmSearch run = new OpenSmSearch(shape, graph);
        run.place(seedPosition, seedSwitch);
        for (int group : new int[] {1, 0, 3, 2, 5, 4}) {
            if (seedNeighbours[group] != EMPTY) {
                int d = TorusGroup.dimension(group);
                int c = shape.coordinate(seedPosition, d) + TorusGroup.sign(group);
                run.place(shape.with(seedPosition, d, c), seedNeighbours[group]);
                run.absorb(seedSwitch, seedNeighbours[group]);
            }
        }
        while (run.pass()) {
            // Until nothing more is found.
        }
        return run;
    }

    /** Returns the positions with a switch, as they were found. */
    public int[] order() {
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns the switch index by position, −1 where there is none. */
    int[] switchAt() {
        return switchAt;
    }

    /** Returns the position by switch index, −1 for switches that are not placed. */
    int[] positionOf() {
        return positionOf;
    }

    /** Returns the first switch that was found for two places; empty if there is none. */
    public Optional<Twice> twice() {
        return Optional.ofNullable(twice);
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
        absorb();
        int[] missing = corners(false);
        int[] occupied = corners(true);
        if (missing.length == 0 || Integer.bitCount(active) < 2) {
            return false;
        }
        int[] candidates = byCorner(occupied, missing);
        if (candidates.length > 0) {
            int[] faces = isLast(missing) ? FACE_OF_LAST_CORNER[missing[0]] : FACES;
            return Arrays.stream(candidates).anyMatch(target -> place(cell[target], fourthOfAFace(target, faces)));
        }
        int side = side(occupied);
        if (side < 0 || occupied.length < Integer.bitCount(active)) {
            return false;
        }
        return Arrays.stream(opposite(side, occupied[0]))
                .anyMatch(target -> place(cell[target], straightOn(target, side)));
    }

    private int[] corners(boolean wanted) {
        int[] found = new int[cell.length];
        int next = 0;
        for (int corner = 0; corner < cell.length; corner++) {
            if ((corner & ~active) == 0 && isPlaced(corner) == wanted) {
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
                return Arrays.stream(FACES).map(across -> centre ^ across).toArray();
            }
        }
        return new int[0];
    }

    private boolean isLast(int[] missing) {
        return missing.length == 1 && Integer.bitCount(active) == TorusShape.DIMENSIONS;
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

    /** Notes the cables between placed corners of the cell: they prove nothing more. */
    private void absorb() {
        for (int corner = 0; corner < cell.length; corner++) {
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int next = corner ^ 1 << d;
                if ((active & 1 << d) != 0 && (corner & ~active) == 0 && isPlaced(corner) && isPlaced(next)) {
                    absorb(at(corner), at(next));
                }
            }
        }
    }

    private void absorb(int one, int two) {
        int index = Arrays.binarySearch(graph.neighbours(one), two);
        if (index >= 0) {
            absorbed[one][index] = true;
            absorbed[two][Arrays.binarySearch(graph.neighbours(two), one)] = true;
        }
    }

    /** Returns the switch with free cables to two placed switches that have a placed neighbour between them. */
    private int fourthOfAFace(int target, int[] faces) {
        for (int face : faces) {
            int one = target ^ Integer.lowestOneBit(face);
            int two = target ^ Integer.highestOneBit(face);
            int between = target ^ face;
            if ((face & ~active) == 0 && isPlaced(one) && isPlaced(two) && isPlaced(between)) {
                int found = common(at(one), at(two), at(between));
                if (found != EMPTY) {
                    return found;
                }
            }
        }
        return EMPTY;
    }

    /** Returns the switch that follows straight on in {@code side} from a placed one whose faces lead there. */
    private int straightOn(int target, int side) {
        int base = target ^ 1 << side;
        if (!isPlaced(base)) {
            return EMPTY;
        }
        int away = (base & 1 << side) != 0 ? TorusGroup.plus(side) : TorusGroup.minus(side);
        int behind = shape.step(cell[base], away);
        if (behind >= 0 && switchAt[behind] == EMPTY) {
            return EMPTY;
        }
        for (int e = 0; e < TorusShape.DIMENSIONS; e++) {
            if (e != side && shape.active(e) && (!isPlaced(base ^ 1 << e) || isAmbiguous(cell[base], e))) {
                return EMPTY;
            }
        }
        int[] neighbours = graph.neighbours(at(base));
        for (int i = 0; i < neighbours.length; i++) {
            boolean isBehind = behind >= 0 && switchAt[behind] == neighbours[i];
            if (!absorbed[at(base)][i] && !isBehind && hasFaces(neighbours[i], base, side)) {
                return neighbours[i];
            }
        }
        return EMPTY;
    }

    private boolean hasFaces(int node, int base, int side) {
        for (int e = 0; e < TorusShape.DIMENSIONS; e++) {
            if (e != side && shape.active(e) && common(node, at(base ^ 1 << e), at(base)) == EMPTY) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first switch, other than {@code not}, to which both have cables that are not absorbed. */
    private int common(int one, int two, int not) {
        int[] neighbours = graph.neighbours(one);
        for (int i = 0; i < neighbours.length; i++) {
            if (neighbours[i] != not && !absorbed[one][i]) {
                int j = Arrays.binarySearch(graph.neighbours(two), neighbours[i]);
                if (j >= 0 && !absorbed[two][j]) {
                    return neighbours[i];
                }
            }
        }
        return EMPTY;
    }

    /** A closed ring of four looks like a face, unless at least two others on it are placed. */
    private boolean isAmbiguous(int position, int dimension) {
        int others = 0;
        for (int c = 0; c < shape.radix(dimension); c++) {
            int other = shape.with(position, dimension, c);
            others += other != position && switchAt[other] != EMPTY ? 1 : 0;
        }
        return shape.radix(dimension) == FOUR && !shape.open(dimension) && others < 2;
    }

    private boolean isPlaced(int corner) {
        return at(corner) != EMPTY;
    }

    private int at(int corner) {
        return switchAt[cell[corner]];
    }

    private boolean place(int position, int node) {
        if (node == EMPTY || switchAt[position] != EMPTY) {
            return false;
        }
        switchAt[position] = node;
        order.add(position);
        if (positionOf[node] == EMPTY) {
            positionOf[node] = position;
        } else if (twice == null) {
            twice = new Twice(node, positionOf[node], position);
        }
        return true;
    }
}
