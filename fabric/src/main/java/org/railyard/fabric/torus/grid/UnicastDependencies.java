package org.railyard.fabric.torus.grid;

import java.util.Arrays;
import java.util.Optional;

/**
 * Finds the dependencies of all unicast paths of a torus without walking the paths: destination by destination, each
 * switch hands on the (VL, SL) pairs that can arrive, sources first (spec 32 §2). O(switches²).
 *
 * <p>Which VL a packet leaves by depends on its SL and on the dimensions it comes from and goes to, not on the VL it
 * came by. So what arrives from one side is one set of SLs for each VL, and is handed on by a few masks.
 */
public final class UnicastDependencies {
    /** SLs of one QoS level; a set of (VL, SL) is the bits of one {@code int}, a byte of SLs for each VL. */
    private static final int SLS = 8;

    private static final int VLS = TorusDependencies.VLS;
    private static final int CLASSES = SlToVlRule.END + 1;

    /** Largest table of all next groups, in bytes; above it each is asked for again, which is slower. */
    private static final long MAX_TABLE = 1L << 26;

    /** Rows that are turned into columns together. */
    private static final int BLOCK = 64;

    private final DimensionOrder routing;
    private final TorusShape shape;
    private final TorusDependencies result;
    private final int[] present;
    private final boolean tabled;
    /** By target and position. */
    private final byte[][] next;
    /** By position, group of arrival and group: pairs whose dependencies were added. */
    private final int[] added;
    /** By position and group: the neighbour. */
    private final int[] neighbour;
    /** By input class, output dimension and VL: the SLs that leave by that VL. */
    private final int[] slsOfVl = new int[CLASSES * CLASSES * VLS];
    /** By dimension and coordinate: the dateline bit of SLs from there to the present target. */
    private final byte[][] datelineBit = new byte[TorusShape.DIMENSIONS][];
    /** By switch and group of arrival: pairs that can arrive. */
    private final int[] arriving;

    private final int[] waiting;
    private final int[] order;

    private UnicastDependencies(DimensionOrder routing, SlToVlRule slToVl) {
        this.routing = routing;
        this.shape = routing.grid().shape();
        this.result = new TorusDependencies(shape);
        this.present = routing.grid().present().toArray();
        this.next = new byte[shape.positions()][];
        this.neighbour = new int[shape.positions() * TorusGroup.COUNT];
        this.arriving = new int[shape.positions() * TorusGroup.COUNT];
        this.waiting = new int[shape.positions()];
        this.order = new int[shape.positions()];
        this.tabled = (long) present.length * shape.positions() <= MAX_TABLE;
        this.added = new int[shape.positions() * TorusGroup.COUNT * TorusGroup.COUNT];
        if (tabled) {
            fillTable();
        }
        for (int i = 0; i < neighbour.length; i++) {
            neighbour[i] = shape.step(i / TorusGroup.COUNT, i % TorusGroup.COUNT);
        }
        for (int in = 0; in < CLASSES; in++) {
            for (int out = 0; out < TorusShape.DIMENSIONS; out++) {
                for (int sl = 0; sl < SLS; sl++) {
                    slsOfVl[(in * CLASSES + out) * VLS + slToVl.vl(in, out, sl)] |= 1 << sl;
                }
            }
        }
    }

    /** Turns rows, which are by target, into columns: some rows at a time, because those stay near the processor. */
    private void fillTable() {
        byte[][] rows = new byte[BLOCK][shape.positions()];
        for (int target : present) {
            next[target] = new byte[shape.positions()];
        }
        for (int first = 0; first < present.length; first += BLOCK) {
            int count = Math.min(BLOCK, present.length - first);
            for (int i = 0; i < count; i++) {
                routing.row(present[first + i], rows[i]);
            }
            for (int target : present) {
                byte[] column = next[target];
                for (int i = 0; i < count; i++) {
                    column[present[first + i]] = rows[i][target];
                }
            }
        }
    }

    /**
     * What the paths depend on, or why there are not paths between all switches.
     *
     * @param dependencies complete only if there is no {@code broken}
     * @param broken a sentence that names a pair without way, or a forwarding loop; empty if all pairs have paths
     */
    public record Result(TorusDependencies dependencies, Optional<String> broken) {}

    /** Returns the dependencies of the paths between all switches. */
    public static Result of(DimensionOrder routing, SlToVlRule slToVl) {
        UnicastDependencies run = new UnicastDependencies(routing, slToVl);
        for (int target : run.present) {
            Optional<String> broken = run.destination(target);
            if (broken.isPresent()) {
                return new Result(run.result, broken);
            }
        }
        return new Result(run.result, Optional.empty());
    }

    private int next(int at, int target) {
        return tabled ? next[target][at] : routing.nextGroup(at, target);
    }

    private Optional<String> destination(int target) {
        Arrays.fill(waiting, 0);
        Arrays.fill(arriving, 0);
        for (int at : present) {
            int group = next(at, target);
            if (group == TorusGroup.NONE) {
                return Optional.of("no way from " + shape.name(at) + " to " + shape.name(target));
            }
            if (group != TorusGroup.END) {
                waiting[neighbour[at * TorusGroup.COUNT + group]]++;
            }
        }
        datelineBits(target);
        int tail = 0;
        for (int at : present) {
            if (waiting[at] == 0) {
                order[tail++] = at;
            }
        }
        for (int head = 0; head < tail; head++) {
            int at = order[head];
            int group = next(at, target);
            if (group == TorusGroup.END) {
                continue;
            }
            int far = neighbour[at * TorusGroup.COUNT + group];
            arriving[far * TorusGroup.COUNT + TorusGroup.opposite(group)] |= leaving(at, group);
            if (--waiting[far] == 0) {
                order[tail++] = far;
            }
        }
        return tail == present.length ? Optional.empty() : Optional.of(circling(target));
    }

    private void datelineBits(int target) {
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            datelineBit[d] = new byte[shape.radix(d)];
            for (int c = 0; c < shape.radix(d); c++) {
                datelineBit[d][c] = (byte) (shape.wraps(d, c, shape.coordinate(target, d)) ? 1 << d : 0);
            }
        }
    }

    /**
     * Adds the dependencies of what arrives at {@code at} and leaves by {@code group}; returns that and what starts
     * here.
     */
    private int leaving(int at, int group) {
        int out = TorusGroup.dimension(group);
        int ownSl = 1
                << (datelineBit[0][shape.coordinate(at, 0)]
                        | datelineBit[1][shape.coordinate(at, 1)]
                        | datelineBit[2][shape.coordinate(at, 2)]);
        int leaving = 0;
        int own = (SlToVlRule.END * CLASSES + out) * VLS;
        for (int vl = 0; vl < VLS; vl++) {
            if ((slsOfVl[own + vl] & ownSl) != 0) {
                result.addChannel(at, group, vl);
                leaving = ownSl << vl * SLS;
            }
        }
        for (int came = 0; came < TorusGroup.COUNT; came++) {
            int pairs = arriving[at * TorusGroup.COUNT + came];
            if (pairs != 0) {
                leaving |= handOn(at, came, pairs, group);
            }
        }
        return leaving;
    }

    private int handOn(int at, int came, int pairs, int group) {
        int rule = (TorusGroup.dimension(came) * CLASSES + TorusGroup.dimension(group)) * VLS;
        int sls = pairs | pairs >>> SLS | pairs >>> 2 * SLS | pairs >>> 3 * SLS;
        int leaving = 0;
        for (int nextVl = 0; nextVl < VLS; nextVl++) {
            leaving |= (sls & slsOfVl[rule + nextVl]) << nextVl * SLS;
        }
        int way = (at * TorusGroup.COUNT + came) * TorusGroup.COUNT + group;
        int fresh = pairs & ~added[way];
        if (fresh != 0) {
            added[way] |= pairs;
            addDependencies(at, came, fresh, group);
        }
        return leaving;
    }

    private void addDependencies(int at, int came, int pairs, int group) {
        // It came by the far end of the group that leads back.
        int from = neighbour[at * TorusGroup.COUNT + came];
        int by = TorusGroup.opposite(came);
        int rule = (TorusGroup.dimension(came) * CLASSES + TorusGroup.dimension(group)) * VLS;
        for (int vl = 0; vl < VLS; vl++) {
            int sls = pairs >>> vl * SLS & (1 << SLS) - 1;
            for (int nextVl = 0; sls != 0 && nextVl < VLS; nextVl++) {
                if ((sls & slsOfVl[rule + nextVl]) != 0) {
                    result.addDependency(from, by, vl, at, group, nextVl);
                }
            }
        }
    }

    private String circling(int target) {
        for (int at : present) {
            if (waiting[at] > 0) {
                return "packets for " + shape.name(target) + " would circle through " + shape.name(at);
            }
        }
        throw new IllegalStateException("no switch waits");
    }
}
