package org.railyard.fabric.torus.acceptance;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.multicast.UpstreamTree;

/**
 * Whether OpenSM 3.3.23 would route a torus, by its own tests (spec 30 §9.1): neither necessary nor sufficient for the
 * absence of credit loops, but what {@code strict} mode promises to repeat.
 *
 * @param refusals why it would not, with OpenSM's error codes; empty if it would
 */
public record UpstreamVerdict(List<String> refusals) {
    private static final String[] UNEVEN = {"4E32", "4E34", "4E36"};
    private static final String[] DISJOINT = {"4E33", "4E35", "4E37"};

    /** Copies the list. */
    public UpstreamVerdict {
        refusals = List.copyOf(refusals);
    }

    /** Tells whether OpenSM would route it. */
    public boolean routes() {
        return refusals.isEmpty();
    }

    /** Applies OpenSM's tests to {@code grid}. */
    public static UpstreamVerdict of(TorusGrid grid) {
        List<String> refusals = new ArrayList<>();
        missingSwitches(grid, refusals);
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            rings(grid, d, refusals);
        }
        if (refusals.isEmpty()) {
            unroutablePairs(grid, refusals);
        }
        if (refusals.isEmpty() && UpstreamTree.of(grid).isEmpty()) {
            refusals.add("4E43: no master multicast tree reaches every switch");
        }
        return new UpstreamVerdict(refusals);
    }

    private static void missingSwitches(TorusGrid grid, List<String> refusals) {
        TorusShape shape = grid.shape();
        int[] missing = grid.missing().toArray();
        if (missing.length < 2) {
            return;
        }
        for (int hole : missing) {
            boolean sameColumn = shape.with(hole, 2, 0) == shape.with(missing[0], 2, 0);
            boolean missingNeighbour = shape.active(2)
                    && (!grid.isPresent(shape.with(hole, 2, shape.coordinate(hole, 2) - 1))
                            || !grid.isPresent(shape.with(hole, 2, shape.coordinate(hole, 2) + 1)));
            if (!sameColumn || !missingNeighbour) {
                refusals.add("4E38: " + missing.length + " missing switches that are not neighbours in one z column, "
                        + shape.name(missing[0]) + " and " + shape.name(hole == missing[0] ? missing[1] : hole)
                        + " among them; replace all but one of them");
                return;
            }
        }
    }

    private static void rings(TorusGrid grid, int dimension, List<String> refusals) {
        TorusShape shape = grid.shape();
        for (int start = 0; start < shape.positions(); start++) {
            if (shape.coordinate(start, dimension) != 0) {
                continue;
            }
            int withoutMinus = 0;
            int withoutPlus = 0;
            for (int c = 0; c < shape.radix(dimension); c++) {
                int at = shape.with(start, dimension, c);
                if (grid.isPresent(at)) {
                    withoutMinus += grid.isCabled(at, TorusGroup.minus(dimension)) ? 0 : 1;
                    withoutPlus += grid.isCabled(at, TorusGroup.plus(dimension)) ? 0 : 1;
                }
            }
            if (withoutMinus != withoutPlus) {
                refusals.add(UNEVEN[dimension] + ": strange failures in " + ring(shape, start, dimension));
            } else if (withoutMinus > 1) {
                refusals.add(DISJOINT[dimension] + ": disjoint failures in " + ring(shape, start, dimension)
                        + ": it is cut into " + withoutMinus + " pieces; repair all but one gap");
            }
        }
    }

    /** Returns the name of a ring: {@code x ring at y=1 z=0}. */
    static String ring(TorusShape shape, int position, int dimension) {
        StringBuilder name = new StringBuilder().append("xyz".charAt(dimension)).append(" ring at");
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            if (d != dimension) {
                name.append(' ').append("xyz".charAt(d)).append('=').append(shape.coordinate(position, d));
            }
        }
        return name.toString();
    }

    private static void unroutablePairs(TorusGrid grid, List<String> refusals) {
        DimensionOrder routing = new DimensionOrder(grid, DirectionRule.RING);
        byte[] row = new byte[grid.shape().positions()];
        int[] present = grid.present().toArray();
        for (int from : present) {
            routing.row(from, row);
            for (int to : present) {
                if (row[to] == TorusGroup.NONE) {
                    refusals.add("4E39: no way from " + grid.shape().name(from) + " to "
                            + grid.shape().name(to));
                    return;
                }
            }
        }
    }
}
