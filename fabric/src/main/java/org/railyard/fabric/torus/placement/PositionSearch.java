package org.railyard.fabric.torus.placement;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
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
    /** By position and group: the next position, or −1. */
    private final int[] near;
    /** Positions to look at, each at most once: a ring. */
    private final int[] queue;

    private final boolean[] queued;
    private int first;
    private int waiting;
    private int placed;
    /** The switches that {@link #corner} has left: working space. */
    private final int[] common = new int[Fabric.MAX_PORTS + 1];

    private PositionSearch(TorusShape shape, SwitchGraph graph) {
        this.shape = shape;
        this.graph = graph;
        this.switchAt = new int[shape.positions()];
        this.positionOf = new int[graph.switches()];
        this.near = new int[shape.positions() * TorusGroup.COUNT];
        this.queue = new int[shape.positions()];
        this.queued = new boolean[shape.positions()];
        for (int i = 0; i < near.length; i++) {
            near[i] = shape.step(i / TorusGroup.COUNT, i % TorusGroup.COUNT);
        }
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
        while (waiting > 0) {
            int position = queue[first];
            first = first + 1 == queue.length ? 0 : first + 1;
            waiting--;
            queued[position] = false;
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
            int next = step(position, group);
            if (next >= 0) {
                enqueue(next);
                for (int second = 0; second < TorusGroup.COUNT; second++) {
                    enqueue(step(next, second));
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
                        enqueue(step(onRing, group));
                    }
                }
            }
        }
    }

    private void enqueue(int position) {
        if (position >= 0 && switchAt[position] == EMPTY && !queued[position]) {
            queued[position] = true;
            int end = first + waiting;
            queue[end < queue.length ? end : end - queue.length] = position;
            waiting++;
        }
    }

    private int step(int position, int group) {
        return near[position * TorusGroup.COUNT + group];
    }

    /**
     * R1: for each two placed neighbours u, v in different dimensions whose common corner is placed, the switches next
     * to both; if all these sets that are not empty have exactly one switch in common, it is the one.
     */
    private int corner(int target) {
        int left = -1;
        for (int one = 0; one < TorusGroup.COUNT; one++) {
            int u = placedAt(step(target, one));
            for (int two = one + 1; u != EMPTY && two < TorusGroup.COUNT; two++) {
                int v = placedAt(step(target, two));
                if (v == EMPTY
                        || TorusGroup.dimension(one) == TorusGroup.dimension(two)
                        || placedAt(step(step(target, one), two)) == EMPTY) {
                    continue;
                }
                left = keepNextTo(graph.neighbours(u), graph.neighbours(v), left);
                if (left == 0) {
                    return EMPTY;
                }
            }
        }
        return left == 1 ? common[0] : EMPTY;
    }

    /**
     * Keeps of the common switches those that are in two other lists, too, all ascending; if no unplaced switch is in
     * both lists, they say nothing.
     *
     * @param left how many there are, −1 if all are
     * @return how many are left
     */
    private int keepNextTo(int[] a, int[] b, int left) {
        int kept = 0;
        int old = 0;
        boolean any = false;
        for (int i = 0, j = 0; i < a.length && j < b.length; ) {
            if (a[i] < b[j]) {
                i++;
            } else if (a[i] > b[j]) {
                j++;
            } else {
                int x = a[i++];
                j++;
                if (positionOf[x] != EMPTY) {
                    continue;
                }
                any = true;
                while (old < left && common[old] < x) {
                    old++;
                }
                if (left < 0 || old < left && common[old] == x) {
                    common[kept++] = x;
                }
            }
        }
        return any ? kept : left;
    }

    /**
     * R2: straight on from a placed neighbour, by the 4-loops with that neighbour's neighbours in all other dimensions.
     */
    private int straight(int target) {
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            int base = step(target, group);
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
        int behind = step(base, awayFromTarget);
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
                    && !faces(x, b, placedAt(step(base, TorusGroup.minus(e))))
                    && !faces(x, b, placedAt(step(base, TorusGroup.plus(e))))) {
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
}
