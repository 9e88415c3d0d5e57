package org.railyard.fabric.torus.multicast;

import java.util.ArrayDeque;
import java.util.BitSet;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusDependencies;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Adds the dependencies of multicast over a master tree: every switch may send, every branch may be kept, so what is
 * clean here is clean for all groups (spec 32 §4).
 */
public final class MulticastDependencies {
    private static final int GROUP_SL = 0;

    private MulticastDependencies() {}

    /** Adds what packets of SL 0 on {@code tree} depend on. */
    public static void add(TorusDependencies result, TorusGrid grid, MasterTree tree, SlToVlRule slToVl) {
        TorusShape shape = grid.shape();
        byte[] branches = tree.branches(allOf(grid));
        ArrayDeque<TorusDependencies.Channel> queue = new ArrayDeque<>();
        boolean[] seen = new boolean[shape.positions() * TorusGroup.COUNT * TorusDependencies.VLS];
        grid.present().forEach(at -> {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if ((branches[at] & 1 << group) != 0) {
                    int vl = slToVl.vl(SlToVlRule.END, TorusGroup.dimension(group), GROUP_SL);
                    result.addChannel(at, group, vl);
                    visit(queue, seen, new TorusDependencies.Channel(at, group, vl));
                }
            }
        });
        while (!queue.isEmpty()) {
            TorusDependencies.Channel channel = queue.remove();
            int far = shape.step(channel.position(), channel.group());
            int back = TorusGroup.opposite(channel.group());
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (group != back && (branches[far] & 1 << group) != 0) {
                    int vl = slToVl.vl(TorusGroup.dimension(back), TorusGroup.dimension(group), GROUP_SL);
                    result.addDependency(channel.position(), channel.group(), channel.vl(), far, group, vl);
                    visit(queue, seen, new TorusDependencies.Channel(far, group, vl));
                }
            }
        }
    }

    private static void visit(
            ArrayDeque<TorusDependencies.Channel> queue, boolean[] seen, TorusDependencies.Channel channel) {
        int number = (channel.position() * TorusGroup.COUNT + channel.group()) * TorusDependencies.VLS + channel.vl();
        if (!seen[number]) {
            seen[number] = true;
            queue.add(channel);
        }
    }

    private static BitSet allOf(TorusGrid grid) {
        BitSet all = new BitSet();
        grid.present().forEach(all::set);
        return all;
    }
}
