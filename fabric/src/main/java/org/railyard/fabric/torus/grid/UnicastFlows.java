package org.railyard.fabric.torus.grid;

import java.util.Optional;

/**
 * All unicast flows of a torus, one for each ordered pair of switches, counted by the channels and dependencies they
 * use (spec 32 §1). From this {@link UnicastChange} finds what a failure does by the flows that it touches, instead of
 * by all of them.
 *
 * <p>Takes time with switches² · hops once, and switches² bytes. Immutable; any thread.
 */
public final class UnicastFlows {
    /** Most positions: the table of next groups has their square in bytes. */
    public static final int MAX_POSITIONS = 8192;

    private static final int VLS = TorusDependencies.VLS;
    private static final int CLASSES = SlToVlRule.END + 1;
    /** SLs of one QoS level. */
    private static final int SLS = 8;

    final DimensionOrder routing;
    final TorusShape shape;
    final int[] present;
    /** By position, target position: the next group; null where there is no switch. */
    final byte[][] next;
    /** By position and group: the neighbour. */
    final int[] neighbour;
    /** By position: end ports that send and receive. */
    final int[] ends;

    final FlowCounts counts;
    /** By dimension and two coordinates: the dateline bit. */
    private final byte[][] dateline = new byte[TorusShape.DIMENSIONS][];
    /** By input class, output dimension and SL: the VL. */
    private final byte[] vls = new byte[CLASSES * CLASSES * SLS];

    private UnicastFlows(DimensionOrder routing, SlToVlRule slToVl, int[] ends) {
        this.routing = routing;
        this.shape = routing.grid().shape();
        this.present = routing.grid().present().toArray();
        this.next = new byte[shape.positions()][];
        this.neighbour = new int[shape.positions() * TorusGroup.COUNT];
        this.ends = ends.clone();
        this.counts = new FlowCounts(shape);
        for (int at : present) {
            next[at] = new byte[shape.positions()];
            routing.row(at, next[at]);
        }
        for (int i = 0; i < neighbour.length; i++) {
            neighbour[i] = shape.step(i / TorusGroup.COUNT, i % TorusGroup.COUNT);
        }
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            int radix = shape.radix(d);
            dateline[d] = new byte[radix * radix];
            for (int i = 0; i < dateline[d].length; i++) {
                dateline[d][i] = (byte) (shape.wraps(d, i / radix, i % radix) ? 1 << d : 0);
            }
        }
        for (int in = 0; in < CLASSES; in++) {
            for (int out = 0; out < TorusShape.DIMENSIONS; out++) {
                for (int sl = 0; sl < SLS; sl++) {
                    vls[(in * CLASSES + out) * SLS + sl] = (byte) slToVl.vl(in, out, sl);
                }
            }
        }
    }

    /**
     * Counts the flows.
     *
     * @param ends by position: end ports that send and receive, for the load
     * @return empty if some pair has no way, or there are more than {@link #MAX_POSITIONS} positions
     */
    public static Optional<UnicastFlows> of(DimensionOrder routing, SlToVlRule slToVl, int[] ends) {
        if (routing.grid().shape().positions() > MAX_POSITIONS) {
            return Optional.empty();
        }
        UnicastFlows flows = new UnicastFlows(routing, slToVl, ends);
        for (int to : flows.present) {
            for (int from : flows.present) {
                if (!flows.walk(flows.next, from, to, 1, flows.counts)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(flows);
    }

    /**
     * Follows one flow and counts what it uses.
     *
     * @param rows by position, the next groups
     * @param sign 1 to add it, −1 to take it away
     * @return false if it does not arrive; part of it is counted then
     */
    boolean walk(byte[][] rows, int from, int to, int sign, FlowCounts into) {
        int sl = sl(from, to);
        long pairs = sign * (long) ends[from] * (from == to ? ends[to] - 1 : ends[to]);
        int in = SlToVlRule.END;
        int last = -1;
        int hops = 0;
        for (int at = from; at != to; hops++) {
            int group = rows[at][to];
            if (group == TorusGroup.NONE || hops == present.length) {
                return false;
            }
            int out = TorusGroup.dimension(group);
            int bit = group * VLS + vls[(in * CLASSES + out) * SLS + sl];
            int channel = at * FlowCounts.CHANNELS + bit;
            into.channels[channel] += sign;
            if (last >= 0) {
                into.dependencies[last * FlowCounts.CHANNELS + bit] += sign;
            }
            into.pairs[at * TorusGroup.COUNT + group] += pairs;
            last = channel;
            in = out;
            at = neighbour[at * TorusGroup.COUNT + group];
        }
        into.hops[hops] += pairs;
        return true;
    }

    private int sl(int from, int to) {
        int sl = 0;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            sl |= dateline[d][shape.coordinate(from, d) * shape.radix(d) + shape.coordinate(to, d)];
        }
        return sl;
    }
}
