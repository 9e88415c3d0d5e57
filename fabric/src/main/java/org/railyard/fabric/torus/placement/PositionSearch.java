package org.railyard.fabric.torus.placement;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Finds the position of each switch, starting from a seed (spec 30 §3.2). A switch is placed only where no other could
 * be: it never guesses, so an ambiguous position waits and, in the end, stays empty.
 *
 * <p>One run over one seed; not thread safe.
 */
final class PositionSearch {
    private static final int FOUR = 4;
    private static final int EMPTY = -1;

    private final TorusShape shape;
    private final SwitchGraph graph;
    private final int[] switchAt;
    private final int[] positionOf;
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();
    private final BitSet queued = new BitSet();
    private int placed;

    private PositionSearch(TorusShape shape, SwitchGraph graph) {
        this.shape = shape;
        this.graph = graph;
        this.switchAt = new int[shape.positions()];
        this.positionOf = new int[graph.switches()];
        Arrays.fill(switchAt, EMPTY);
        Arrays.fill(positionOf, EMPTY);
    }

    /**
     * Places what can be placed.
     *
     * @param seedSwitch switch index of the seed switch
     * @param seedNeighbours by group, the switch index of its named neighbour, or −1
     * @param seedPosition position of the seed switch
     */
    static PositionSearch run(
            TorusShape shape, SwitchGraph graph, int seedSwitch, int[] seedNeighbours, int seedPosition) {
        PositionSearch discovery = new PositionSearch(shape, graph);
        discovery.place(seedPosition, seedSwitch);
        for (int group : new int[] {1, 0, 3, 2, 5, 4}) {
            int d = TorusGroup.dimension(group);
            int position = shape.with(seedPosition, d, shape.coordinate(seedPosition, d) + TorusGroup.sign(group));
            int neighbour = seedNeighbours[group];
            if (neighbour != EMPTY
                    && discovery.switchAt[position] == EMPTY
                    && discovery.positionOf[neighbour] == EMPTY) {
                discovery.place(position, neighbour);
            }
        }
        discovery.grow();
        return discovery;
    }

    /** Returns the switch index by position, −1 where there is none. */
    int[] switchAt() {
        return switchAt;
    }

    /** Returns the position by switch index, −1 for switches that are not placed. */
    int[] positionOf() {
        return positionOf;
    }

    /** Returns the number of switches placed. */
    int placed() {
        return placed;
    }

    private void grow() {
        while (!queue.isEmpty()) {
            int position = queue.remove();
            queued.clear(position);
            if (switchAt[position] == EMPTY) {
                int found = corner(position);
                if (found == EMPTY) {
                    found = straight(position);
                }
                if (found != EMPTY) {
                    place(position, found);
                }
            }
        }
    }

    private void place(int position, int node) {
        switchAt[position] = node;
        positionOf[node] = position;
        placed++;
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            int near = shape.step(position, group);
            if (near >= 0) {
                enqueue(near);
                for (int second = 0; second < TorusGroup.COUNT; second++) {
                    enqueue(shape.step(near, second));
                }
            }
        }
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            if (shape.radix(d) == FOUR) {
                // The guard looks at the whole ring, and at those of the neighbours.
                for (int c = 0; c < FOUR; c++) {
                    int onRing = shape.with(position, d, c);
                    enqueue(onRing);
                    for (int group = 0; group < TorusGroup.COUNT; group++) {
                        enqueue(shape.step(onRing, group));
                    }
                }
            }
        }
    }

    private void enqueue(int position) {
        if (position >= 0 && switchAt[position] == EMPTY && !queued.get(position)) {
            queued.set(position);
            queue.add(position);
        }
    }

    /**
     * R1: for each two placed neighbours u, v in different dimensions whose common corner is placed, the switches next
     * to both; if all these sets that are not empty have exactly one switch in common, it is the one.
     */
    private int corner(int target) {
        int[] common = null;
        for (int one = 0; one < TorusGroup.COUNT; one++) {
            int u = placedAt(shape.step(target, one));
            for (int two = one + 1; u != EMPTY && two < TorusGroup.COUNT; two++) {
                int v = placedAt(shape.step(target, two));
                if (v == EMPTY
                        || TorusGroup.dimension(one) == TorusGroup.dimension(two)
                        || placedAt(shape.step(shape.step(target, one), two)) == EMPTY) {
                    continue;
                }
                int[] next = unplacedNextTo(u, v);
                if (next.length > 0) {
                    common = common == null ? next : intersect(common, next);
                }
            }
        }
        return common != null && common.length == 1 ? common[0] : EMPTY;
    }

    /**
     * R2: straight on from a placed neighbour, by the 4-loops with that neighbour's neighbours in all other dimensions.
     */
    private int straight(int target) {
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            int base = shape.step(target, group);
            int b = placedAt(base);
            if (b == EMPTY || !straightAllowed(base, group)) {
                continue;
            }
            int found = EMPTY;
            int candidates = 0;
            for (int x : graph.neighbours(b)) {
                if (positionOf[x] == EMPTY && isOpposite(x, b, base, TorusGroup.dimension(group))) {
                    found = x;
                    candidates++;
                }
            }
            if (candidates == 1) {
                return found;
            }
        }
        return EMPTY;
    }

    /**
     * Tells whether the place behind {@code base} is taken or no place, and no ring of four could be mistaken for a
     * face.
     */
    private boolean straightAllowed(int base, int awayFromTarget) {
        int d = TorusGroup.dimension(awayFromTarget);
        int behind = shape.step(base, awayFromTarget);
        if (behind >= 0 && switchAt[behind] == EMPTY) {
            return false;
        }
        boolean otherDimension = false;
        for (int e = 0; e < TorusShape.DIMENSIONS; e++) {
            if (e == d || !shape.active(e)) {
                continue;
            }
            otherDimension = true;
            if (shape.radix(e) == FOUR && !shape.open(e) && othersOnRing(base, e) < 2) {
                return false;
            }
        }
        return otherDimension;
    }

    private int othersOnRing(int position, int dimension) {
        int count = 0;
        for (int c = 0; c < shape.radix(dimension); c++) {
            int other = shape.with(position, dimension, c);
            count += other != position && switchAt[other] != EMPTY ? 1 : 0;
        }
        return count;
    }

    /** Tells whether in each other dimension some neighbour of b forms a 4-loop with b and x. */
    private boolean isOpposite(int x, int b, int base, int dimension) {
        for (int e = 0; e < TorusShape.DIMENSIONS; e++) {
            if (e != dimension
                    && shape.active(e)
                    && !faces(x, b, placedAt(shape.step(base, TorusGroup.minus(e))))
                    && !faces(x, b, placedAt(shape.step(base, TorusGroup.plus(e))))) {
                return false;
            }
        }
        return true;
    }

    /** Tells whether p and x have a common neighbour other than b by cables that are not yet part of the torus. */
    private boolean faces(int x, int b, int p) {
        if (p == EMPTY) {
            return false;
        }
        for (int y : graph.neighbours(p)) {
            if (y != b && y != x && !absorbed(p, y) && graph.joined(x, y)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells whether the cables between a and b join neighbouring positions; such cables are explained and prove nothing
     * more.
     */
    private boolean absorbed(int a, int b) {
        return positionOf[a] != EMPTY
                && positionOf[b] != EMPTY
                && shape.groupBetween(positionOf[a], positionOf[b]) != TorusGroup.NONE;
    }

    private int placedAt(int position) {
        return position < 0 ? EMPTY : switchAt[position];
    }

    private int[] unplacedNextTo(int u, int v) {
        return Arrays.stream(intersect(graph.neighbours(u), graph.neighbours(v)))
                .filter(x -> positionOf[x] == EMPTY)
                .toArray();
    }

    private static int[] intersect(int[] a, int[] b) {
        int[] both = new int[Math.min(a.length, b.length)];
        int count = 0;
        for (int i = 0, j = 0; i < a.length && j < b.length; ) {
            if (a[i] == b[j]) {
                both[count++] = a[i++];
                j++;
            } else if (a[i] < b[j]) {
                i++;
            } else {
                j++;
            }
        }
        return Arrays.copyOf(both, count);
    }
}
