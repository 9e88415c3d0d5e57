package org.railyard.fabric.torus.grid;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What unicast depends on in a torus in which nothing is missing. Paths go through one dimension after the other there,
 * and in each of them as in a single ring (spec 30 §6): so the hops of each ring, and the turns from where paths of one
 * dimension may end to where those of a later one may begin, are all that there is. O(switches).
 */
public final class WholeTorus {
    private final DimensionOrder order;
    private final SlToVlRule slToVl;
    private final TorusShape shape;
    private final TorusDependencies result;

    /** A channel as seen from the position that it belongs to. */
    private record Hop(int group, int vl) {}

    private record Through(Hop came, Hop next) {}

    /** What paths in one dimension do at one coordinate of it. */
    private static final class Coordinate {
        /** Hops by which they begin. */
        private final Set<Hop> begin = new LinkedHashSet<>();
        /** Hops by which they came when they end. */
        private final Set<Hop> end = new LinkedHashSet<>();
        /** Hops by which they came and by which they go on. */
        private final Set<Through> through = new LinkedHashSet<>();
    }

    private WholeTorus(DimensionOrder order, SlToVlRule slToVl) {
        this.order = order;
        this.slToVl = slToVl;
        this.shape = order.grid().shape();
        this.result = new TorusDependencies(shape);
    }

    /** Returns the routing of the torus of a shape in which nothing is missing. */
    public static DimensionOrder order(TorusShape shape, DirectionRule rule) {
        return new DimensionOrder(TorusGrid.whole(shape).build(), rule);
    }

    /**
     * Returns what the paths between all switches depend on.
     *
     * @param whole routing of a torus in which nothing is missing
     * @param slToVl the rule for VLs
     */
    public static TorusDependencies dependencies(DimensionOrder whole, SlToVlRule slToVl) {
        WholeTorus torus = new WholeTorus(whole, slToVl);
        List<Coordinate[]> dimensions = new ArrayList<>();
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            dimensions.add(torus.ring(d));
        }
        for (int at = 0; at < torus.shape.positions(); at++) {
            torus.addAt(at, dimensions);
        }
        return torus.result;
    }

    private Coordinate[] ring(int dimension) {
        Coordinate[] ring = new Coordinate[shape.radix(dimension)];
        for (int c = 0; c < ring.length; c++) {
            ring[c] = new Coordinate();
        }
        for (int from = 0; from < ring.length; from++) {
            for (int to = 0; to < ring.length; to++) {
                if (from != to) {
                    walk(dimension, ring, from, to);
                }
            }
        }
        return ring;
    }

    private void walk(int dimension, Coordinate[] ring, int from, int to) {
        int target = shape.with(0, dimension, to);
        int sl = shape.wraps(dimension, from, to) ? 1 << dimension : 0;
        int vl = slToVl.vl(SlToVlRule.END, dimension, sl);
        Hop came = null;
        for (int at = from; at != to; ) {
            int position = shape.with(0, dimension, at);
            Hop hop = new Hop(order.nextGroup(position, target), vl);
            if (came == null) {
                ring[at].begin.add(hop);
            } else {
                ring[at].through.add(new Through(came, hop));
            }
            came = hop;
            at = shape.coordinate(shape.step(position, hop.group), dimension);
        }
        if (came != null) {
            ring[to].end.add(came);
        }
    }

    private void addAt(int at, List<Coordinate[]> dimensions) {
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            Coordinate here = dimensions.get(d)[shape.coordinate(at, d)];
            for (Hop hop : here.begin) {
                result.addChannel(at, hop.group, hop.vl);
            }
            here.through.forEach(hops -> add(at, hops.came, hops.next));
            for (int later = d + 1; later < TorusShape.DIMENSIONS; later++) {
                for (Hop next : dimensions.get(later)[shape.coordinate(at, later)].begin) {
                    here.end.forEach(came -> add(at, came, next));
                }
            }
        }
    }

    private void add(int at, Hop came, Hop next) {
        int before = shape.step(at, TorusGroup.opposite(came.group));
        result.addDependency(before, came.group, came.vl, at, next.group, next.vl);
    }
}
