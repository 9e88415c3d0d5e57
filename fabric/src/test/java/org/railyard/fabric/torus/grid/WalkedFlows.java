package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

/** All flows of a grid, followed hop by hop by the rules themselves: the slow way that the fast ones are checked by. */
final class WalkedFlows {
    /** By position and group: pairs of end ports. */
    final long[] pairs;
    /** By number of hops: pairs of end ports. */
    final long[] hops;

    private final DimensionOrder order;
    private final SlToVlRule rule;
    private final TorusShape shape;
    private final int[] ends;
    private final TorusDependencies dependencies;
    private boolean whole = true;

    WalkedFlows(DimensionOrder order, SlToVlRule rule) {
        this.order = order;
        this.rule = rule;
        this.shape = order.grid().shape();
        this.ends = ends(shape);
        this.dependencies = new TorusDependencies(shape);
        this.pairs = new long[shape.positions() * TorusGroup.COUNT];
        this.hops = new long[shape.positions() + 1];
        walkAll(dependencies);
    }

    /** The end ports of each position. */
    static int[] ends(TorusShape shape) {
        return IntStream.range(0, shape.positions()).map(at -> at % 4).toArray();
    }

    /** Tells whether each switch is reached from each other one. */
    boolean isWhole() {
        return whole;
    }

    private void walkAll(TorusDependencies into) {
        int[] present = order.grid().present().toArray();
        for (int from : present) {
            for (int to : present) {
                whole &= walk(from, to, into);
            }
        }
    }

    /** Adds the dependencies to others. */
    void addTo(TorusDependencies others) {
        new WalkedFlows(order, rule).walkAll(others);
    }

    private boolean walk(int from, int to, TorusDependencies into) {
        long weight = (long) ends[from] * (from == to ? ends[to] - 1 : ends[to]);
        int sl = shape.datelineBits(from, to);
        int before = -1;
        int came = TorusGroup.END;
        int cameVl = 0;
        int count = 0;
        for (int at = from; at != to; count++) {
            int group = order.nextGroup(at, to);
            if (group == TorusGroup.NONE || count == shape.positions()) {
                return false;
            }
            int vl = rule.vl(TorusGroup.dimension(came), TorusGroup.dimension(group), sl);
            into.addChannel(at, group, vl);
            if (before >= 0) {
                into.addDependency(before, came, cameVl, at, group, vl);
            }
            pairs[at * TorusGroup.COUNT + group] += weight;
            before = at;
            came = group;
            cameVl = vl;
            at = shape.step(at, group);
        }
        hops[count] += weight;
        return true;
    }

    /** Sees to it that others are the same dependencies: as many, and no more together with these. */
    void assertSame(TorusDependencies others) {
        TorusDependencies both = others.copy();
        addTo(both);
        assertThat(List.of(others.channels(), others.dependencies()))
                .isEqualTo(List.of(dependencies.channels(), dependencies.dependencies()))
                .isEqualTo(List.of(both.channels(), both.dependencies()));
        assertThat(others.loop()).isEqualTo(dependencies.loop());
    }
}
