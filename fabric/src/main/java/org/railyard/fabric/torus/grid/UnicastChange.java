package org.railyard.fabric.torus.grid;

import java.util.Arrays;

/**
 * What becomes of the flows of a torus when switches and cables are gone: only rows of switches that share a ring with
 * what is gone can change, and only flows through a changed entry take another way (spec 30 §6). These are taken away
 * and added again; the others stay as {@link UnicastFlows} counted them.
 *
 * <p>For one change after the other; not thread safe.
 */
public final class UnicastChange {
    private static final int CHANNELS = FlowCounts.CHANNELS;

    private final UnicastFlows base;
    private final TorusShape shape;
    private final FlowCounts delta;
    /** The rows as they are after the change. */
    private final byte[][] rows;
    /** Rows that were written to, for the next change. */
    private final byte[][] spare;

    private final boolean[] onRing;
    private final int[] affected;
    private final int[] gone;
    private final int[] queue;
    private final int[] seen;
    private TorusGrid left;
    private int affectedCount;
    private int goneCount;
    private int target;

    /** Prepares for changes of {@code base}. */
    public UnicastChange(UnicastFlows base) {
        this.base = base;
        this.shape = base.shape;
        this.left = base.routing.grid();
        this.delta = new FlowCounts(shape);
        this.rows = base.next.clone();
        this.spare = new byte[shape.positions()][];
        this.onRing = new boolean[shape.positions()];
        this.affected = new int[shape.positions()];
        this.gone = new int[shape.positions()];
        this.queue = new int[shape.positions()];
        this.seen = new int[shape.positions()];
    }

    /**
     * Changes to another routing.
     *
     * @param after routing of the same torus by the same rule, with fewer switches or cables
     * @return false if it is not of that kind, or some pair has no way any more; then nothing can be asked
     */
    public boolean to(DimensionOrder after) {
        System.arraycopy(base.next, 0, rows, 0, rows.length);
        delta.clear();
        if (!findAffected(after)) {
            return false;
        }
        for (int i = 0; i < affectedCount; i++) {
            int at = affected[i];
            if (spare[at] == null) {
                spare[at] = new byte[shape.positions()];
            }
            rows[at] = spare[at];
            after.row(at, rows[at]);
        }
        Arrays.fill(seen, -1);
        for (int to : base.present) {
            if (!moveFlows(to)) {
                return false;
            }
        }
        return true;
    }

    /** Finds what is gone, and which switches share a ring with it. */
    private boolean findAffected(DimensionOrder after) {
        TorusGrid then = base.routing.grid();
        TorusGrid now = after.grid();
        if (!now.shape().equals(shape) || after.rule() != base.routing.rule()) {
            return false;
        }
        left = now;
        Arrays.fill(onRing, false);
        goneCount = 0;
        for (int at = 0; at < rows.length; at++) {
            if (now.isPresent(at) && !then.isPresent(at)) {
                return false;
            }
            boolean lost = then.isPresent(at) && !now.isPresent(at);
            if (lost) {
                gone[goneCount++] = at;
            }
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (now.isCabled(at, group) && !then.isCabled(at, group)) {
                    return false;
                }
                if (lost || then.isCabled(at, group) && !now.isCabled(at, group)) {
                    markRing(at, TorusGroup.dimension(group));
                }
            }
        }
        affectedCount = 0;
        for (int at = 0; at < rows.length; at++) {
            if (onRing[at] && now.isPresent(at)) {
                affected[affectedCount++] = at;
            }
        }
        return true;
    }

    private void markRing(int at, int dimension) {
        for (int c = 0; c < shape.radix(dimension); c++) {
            onRing[shape.with(at, dimension, c)] = true;
        }
    }

    /** Moves the flows to one switch. */
    private boolean moveFlows(int to) {
        target = to;
        if (!left.isPresent(to)) {
            for (int from : base.present) {
                base.walk(base.next, from, to, -1, delta);
            }
            return true;
        }
        int count = 0;
        for (int i = 0; i < goneCount; i++) {
            count = see(gone[i], count);
        }
        for (int i = 0; i < affectedCount; i++) {
            int at = affected[i];
            if (rows[at][to] != base.next[at][to]) {
                count = see(at, count);
            }
        }
        for (int head = 0; head < count; head++) {
            int at = queue[head];
            count = seeSenders(at, count);
            base.walk(base.next, at, to, -1, delta);
            if (left.isPresent(at) && !base.walk(rows, at, to, 1, delta)) {
                return false;
            }
        }
        return true;
    }

    private int see(int at, int count) {
        if (seen[at] == target) {
            return count;
        }
        seen[at] = target;
        queue[count] = at;
        return count + 1;
    }

    /** Adds the neighbours that sent by {@code at} before the change. */
    private int seeSenders(int at, int count) {
        int all = count;
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            int from = base.neighbour[at * TorusGroup.COUNT + group];
            if (from >= 0
                    && from != target
                    && base.next[from] != null
                    && base.next[from][target] == TorusGroup.opposite(group)) {
                all = see(from, all);
            }
        }
        return all;
    }

    /** Returns the dependencies after the change. */
    public TorusDependencies dependencies() {
        TorusDependencies result = new TorusDependencies(shape);
        int[] was = base.counts.dependencies;
        for (int position = 0; position < rows.length; position++) {
            for (int number = 0; number < CHANNELS; number++) {
                int channel = position * CHANNELS + number;
                if (base.counts.channels[channel] + delta.channels[channel] != 0) {
                    result.put(position, number, successors(was, channel));
                }
            }
        }
        return result;
    }

    private int successors(int[] was, int channel) {
        int successors = 0;
        for (int i = channel * CHANNELS, bit = 1; i < (channel + 1) * CHANNELS; i++, bit <<= 1) {
            if (was[i] + delta.dependencies[i] != 0) {
                successors |= bit;
            }
        }
        return successors;
    }

    /**
     * Returns how many entries of the switches that are left changed.
     *
     * @param endPorts by position: end ports with an entry in the tables of the others
     */
    public long entriesChanged(int[] endPorts) {
        long changed = 0;
        for (int to : base.present) {
            for (int i = 0; left.isPresent(to) && i < affectedCount; i++) {
                int at = affected[i];
                changed += rows[at][to] != base.next[at][to] ? endPorts[to] : 0;
            }
        }
        return changed;
    }

    /** Returns the pairs of end ports whose way leaves {@code position} by {@code group}. */
    public long pairs(int position, int group) {
        int i = position * TorusGroup.COUNT + group;
        return base.counts.pairs[i] + delta.pairs[i];
    }

    /** Returns the pairs of end ports with so many hops between switches, 0 to {@link #maxHops}. */
    public long pairsWithHops(int hops) {
        return base.counts.hops[hops] + delta.hops[hops];
    }

    /** Returns an upper bound of the number of hops. */
    public int maxHops() {
        return delta.hops.length - 1;
    }
}
