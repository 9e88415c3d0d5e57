package org.railyard.fabric.torus.grid;

import java.util.Arrays;
import java.util.Optional;

/**
 * What the paths of a torus depend on when switches or cables of it are lost, by the paths that go another way: only
 * rows of switches that share a ring with what is lost can change (spec 30 §6). What the others depend on stays. So
 * does what the paths depended on that left their way, as far as its cables are there: more than there is, but no
 * credit loop in it means that there is none.
 */
public final class LostGroups {
    private final DimensionOrder before;
    private final DimensionOrder after;
    private final SlToVlRule slToVl;
    private final TorusShape shape;
    private final TorusDependencies result;
    private final boolean[] onRing;
    private final int[] sources;
    private final boolean[] isSource;
    private int sourceCount;

    private LostGroups(TorusDependencies known, DimensionOrder before, DimensionOrder after, SlToVlRule slToVl) {
        this.before = before;
        this.after = after;
        this.slToVl = slToVl;
        this.shape = after.grid().shape();
        this.result = known.copy();
        this.onRing = new boolean[shape.positions()];
        this.sources = new int[shape.positions()];
        this.isSource = new boolean[shape.positions()];
    }

    /**
     * Returns at least what the paths between all switches depend on.
     *
     * @param known at least what they depended on before
     * @param before how they went
     * @param after how they go
     * @param slToVl the rule for VLs, the same before and after
     * @return empty if {@code after} is not the same routing of the same torus with fewer switches or cables, or some
     *     pair has no way any more
     */
    public static Optional<TorusDependencies> of(
            TorusDependencies known, DimensionOrder before, DimensionOrder after, SlToVlRule slToVl) {
        TorusGrid then = before.grid();
        TorusGrid now = after.grid();
        boolean isLeft = now.shape().equals(then.shape())
                && after.rule() == before.rule()
                && now.present().allMatch(then::isPresent);
        if (!isLeft) {
            return Optional.empty();
        }
        LostGroups lost = new LostGroups(known, before, after, slToVl);
        return lost.takeAway() && lost.addPaths() ? Optional.of(lost.result) : Optional.empty();
    }

    /** Takes away the channels of what is gone, and finds who shares a ring with it; false if there is more. */
    private boolean takeAway() {
        for (int at = 0; at < shape.positions(); at++) {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                boolean was = before.grid().isCabled(at, group);
                boolean is = after.grid().isCabled(at, group);
                if (is && !was) {
                    return false;
                }
                if (was && !is) {
                    result.remove(at, group);
                    markRing(at, TorusGroup.dimension(group));
                }
            }
        }
        return true;
    }

    private void markRing(int at, int dimension) {
        for (int c = 0; c < shape.radix(dimension); c++) {
            onRing[shape.with(at, dimension, c)] = true;
        }
    }

    private boolean addPaths() {
        int[] affected = after.grid().present().filter(at -> onRing[at]).toArray();
        byte[][] old = new byte[affected.length][shape.positions()];
        byte[][] now = new byte[affected.length][shape.positions()];
        for (int i = 0; i < affected.length; i++) {
            before.row(affected[i], old[i]);
            after.row(affected[i], now[i]);
        }
        for (int target : after.grid().present().toArray()) {
            Arrays.fill(isSource, 0, shape.positions(), false);
            sourceCount = 0;
            for (int i = 0; i < affected.length; i++) {
                if (old[i][target] != now[i][target]) {
                    addSource(affected[i]);
                }
            }
            if (!addPathsTo(target)) {
                return false;
            }
        }
        return true;
    }

    private void addSource(int at) {
        if (!isSource[at]) {
            isSource[at] = true;
            sources[sourceCount++] = at;
        }
    }

    /** Adds the paths of those that are sources, and of all whose paths pass one of these. */
    private boolean addPathsTo(int target) {
        for (int i = 0; i < sourceCount; i++) {
            int at = sources[i];
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                int from = after.grid().isCabled(at, group) ? shape.step(at, group) : target;
                if (from != target && after.nextGroup(from, target) == TorusGroup.opposite(group)) {
                    addSource(from);
                }
            }
            if (!addPath(at, target)) {
                return false;
            }
        }
        return true;
    }

    private boolean addPath(int from, int target) {
        int sl = 0;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            sl |= shape.wraps(d, shape.coordinate(from, d), shape.coordinate(target, d)) ? 1 << d : 0;
        }
        int in = SlToVlRule.END;
        int last = TorusGroup.NONE;
        int lastVl = 0;
        int at = from;
        for (int hops = 0; at != target; hops++) {
            int group = after.nextGroup(at, target);
            if (group == TorusGroup.NONE || hops == shape.positions()) {
                return false;
            }
            int out = TorusGroup.dimension(group);
            int vl = slToVl.vl(in, out, sl);
            if (last == TorusGroup.NONE) {
                result.addChannel(at, group, vl);
            } else {
                result.addDependency(shape.step(at, TorusGroup.opposite(last)), last, lastVl, at, group, vl);
            }
            in = out;
            last = group;
            lastVl = vl;
            at = shape.step(at, group);
        }
        return true;
    }
}
