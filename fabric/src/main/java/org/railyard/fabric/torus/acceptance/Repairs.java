package org.railyard.fabric.torus.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.qos.QosMode;

/** Says what is missing in a torus that cannot be routed, and which single repair would make it routable. */
public final class Repairs {
    /** Most missing things that a message names. */
    private static final int MAX_NAMED = 16;

    /** Most repairs that a message offers: any of them will do. */
    private static final int MAX_OFFERED = 4;

    /** Bound on the work of trying repairs: each costs about the square of the number of switches. */
    private static final long MAX_WORK = 1L << 26;

    private Repairs() {}

    /** A missing switch, or a missing group if {@code group} is not NONE. */
    private record Gap(int position, int group) {
        String name(TorusShape shape) {
            return group == TorusGroup.NONE
                    ? "switch " + shape.name(position)
                    : "cable " + shape.name(position) + "-" + shape.name(shape.step(position, group));
        }
    }

    /**
     * Returns a sentence with what is missing and what to repair first; empty if nothing is missing.
     *
     * @param judge tells of each repair whether the torus can be routed with it
     */
    public static Optional<Refusal.Reason> advice(
            DimensionOrder routing, SlToVlRule slToVl, QosMode mode, GridJudge judge) {
        TorusGrid grid = routing.grid();
        TorusShape shape = grid.shape();
        List<Gap> gaps = gaps(grid);
        if (gaps.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        List<String> helpful = new ArrayList<>();
        long work = 0;
        for (Gap gap : gaps.subList(0, Math.min(MAX_NAMED, gaps.size()))) {
            names.add(gap.name(shape));
            work += (long) shape.positions() * shape.positions();
            if (work <= MAX_WORK
                    && judge.of(new DimensionOrder(repaired(grid, gap), routing.rule()), slToVl, mode)
                            .routes()) {
                helpful.add(gap.name(shape));
            }
        }
        String missing = "missing: " + String.join(", ", names)
                + (gaps.size() > MAX_NAMED ? " and " + (gaps.size() - MAX_NAMED) + " more" : "");
        return Optional.of(new Refusal.Reason("repair", helpful.isEmpty() ? missing : missing + "; " + offer(helpful)));
    }

    private static String offer(List<String> helpful) {
        int more = helpful.size() - MAX_OFFERED;
        return "routable again with "
                + String.join(", or with ", helpful.subList(0, Math.min(MAX_OFFERED, helpful.size())))
                + (more > 0 ? ", or with any of " + more + " others" : "");
    }

    private static List<Gap> gaps(TorusGrid grid) {
        TorusShape shape = grid.shape();
        List<Gap> gaps = new ArrayList<>();
        grid.missing().forEach(position -> gaps.add(new Gap(position, TorusGroup.NONE)));
        grid.present().forEach(position -> {
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int group = TorusGroup.plus(d);
                int next = shape.step(position, group);
                if (next >= 0 && grid.isPresent(next) && !grid.isCabled(position, group)) {
                    gaps.add(new Gap(position, group));
                }
            }
        });
        return gaps;
    }

    private static TorusGrid repaired(TorusGrid grid, Gap gap) {
        TorusShape shape = grid.shape();
        TorusGrid.Builder builder = grid.toBuilder();
        if (gap.group() != TorusGroup.NONE) {
            return builder.addGroup(gap.position(), gap.group()).build();
        }
        builder.addSwitch(gap.position());
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            int next = shape.step(gap.position(), group);
            if (next >= 0 && grid.isPresent(next)) {
                builder.addGroup(gap.position(), group);
            }
        }
        return builder.build();
    }
}
