package org.railyard.fabric.torus;

import java.util.Arrays;
import java.util.Optional;

/**
 * Finds the dependencies of all unicast paths of a torus without walking the paths: destination by destination, each switch hands on the
 * (VL, SL) pairs that can arrive, sources first (spec 32 §2). O(switches²).
 */
final class UnicastDependencies {
    /** A set of (VL, SL bits 0 to 2) is the bits of one {@code int}. */
    private static final int SLS = 8;

    /** Largest table of all next groups, in bytes; above it each is asked for again, which is slower. */
    private static final long MAX_TABLE = 1L << 26;

    private final DimensionOrder routing;
    private final SlToVlRule slToVl;
    private final TorusDependencies result;
    private final int[] present;
    private final boolean tabled;
    private final byte[][] next;
    /** By switch and group of arrival: pairs that can arrive. */
    private final int[] arriving;
    private final int[] waiting;
    private final int[] order;

    private UnicastDependencies(DimensionOrder routing, SlToVlRule slToVl) {
        this.routing = routing;
        this.slToVl = slToVl;
        TorusShape shape = routing.grid().shape();
        this.result = new TorusDependencies(shape);
        this.present = routing.grid().present().toArray();
        this.next = new byte[shape.positions()][];
        this.arriving = new int[shape.positions() * TorusGroup.COUNT];
        this.waiting = new int[shape.positions()];
        this.order = new int[shape.positions()];
        this.tabled = (long) present.length * shape.positions() <= MAX_TABLE;
        for (int i = 0; tabled && i < present.length; i++) {
            next[present[i]] = new byte[shape.positions()];
            routing.row(present[i], next[present[i]]);
        }
    }

    private int next(int at, int target) {
        return tabled ? next[at][target] : routing.nextGroup(at, target);
    }

    /**
     * What the paths depend on, or why there are not paths between all switches.
     *
     * @param dependencies complete only if there is no {@code broken}
     * @param broken a sentence that names a pair without way, or a forwarding loop; empty if all pairs have paths
     */
    record Result(TorusDependencies dependencies, Optional<String> broken) {}

    /** Returns the dependencies of the paths between all switches. */
    static Result of(DimensionOrder routing, SlToVlRule slToVl) {
        UnicastDependencies run = new UnicastDependencies(routing, slToVl);
        for (int target : run.present) {
            Optional<String> broken = run.destination(target);
            if (broken.isPresent()) {
                return new Result(run.result, broken);
            }
        }
        return new Result(run.result, Optional.empty());
    }

    private Optional<String> destination(int target) {
        TorusShape shape = routing.grid().shape();
        Arrays.fill(waiting, 0);
        Arrays.fill(arriving, 0);
        for (int at : present) {
            int group = next(at, target);
            if (group == TorusGroup.NONE) {
                return Optional.of("no way from " + shape.name(at) + " to " + shape.name(target));
            }
            if (group != TorusGroup.END) {
                waiting[shape.step(at, group)]++;
            }
        }
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
            int far = shape.step(at, group);
            handOn(at, group, far, shape.datelineBits(at, target));
            if (--waiting[far] == 0) {
                order[tail++] = far;
            }
        }
        return tail == present.length ? Optional.empty() : Optional.of(circling(target));
    }

    /** Hands what arrives at {@code at}, and what starts there, on to {@code far}. */
    private void handOn(int at, int group, int far, int ownSl) {
        int out = TorusGroup.dimension(group);
        int first = slToVl.vl(SlToVlRule.END, out, ownSl);
        result.addChannel(at, group, first);
        int set = 1 << first * SLS + ownSl;
        TorusShape shape = routing.grid().shape();
        for (int came = 0; came < TorusGroup.COUNT; came++) {
            for (int bits = arriving[at * TorusGroup.COUNT + came]; bits != 0; bits &= bits - 1) {
                int pair = Integer.numberOfTrailingZeros(bits);
                int sl = pair % SLS;
                int vl = slToVl.vl(TorusGroup.dimension(came), out, sl);
                // It came by the group opposite to the one that leads back.
                result.addDependency(shape.step(at, came), TorusGroup.opposite(came), pair / SLS, at, group, vl);
                set |= 1 << vl * SLS + sl;
            }
        }
        arriving[far * TorusGroup.COUNT + TorusGroup.opposite(group)] |= set;
    }

    private String circling(int target) {
        for (int at : present) {
            if (waiting[at] > 0) {
                TorusShape shape = routing.grid().shape();
                return "packets for " + shape.name(target) + " would circle through " + shape.name(at);
            }
        }
        throw new IllegalStateException("no switch waits");
    }
}
