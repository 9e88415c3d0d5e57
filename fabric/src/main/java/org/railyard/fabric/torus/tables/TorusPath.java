package org.railyard.fabric.torus.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.HopReason;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.qos.QosMode;

/**
 * A path between two switches with the reason for each hop, for people and tests.
 *
 * @param hops from the first switch on; empty if both ends are the same switch
 * @param sl the service level, 0 to 15
 */
public record TorusPath(List<Hop> hops, int sl) {
    /**
     * One hop.
     *
     * @param from position of the switch that sends
     * @param group group it sends by, 0 to 5
     * @param to position of the switch that receives
     * @param vl VL it travels on
     * @param reason why this way
     */
    public record Hop(int from, int group, int to, int vl, HopReason reason) {}

    /** Copies the hops. */
    public TorusPath {
        hops = List.copyOf(hops);
    }

    /**
     * Walks from {@code source} to {@code target}.
     *
     * @return empty if there is no way, also if the tables would send packets round in circles
     */
    public static Optional<TorusPath> walk(
            DimensionOrder routing, SlToVlRule slToVl, QosMode mode, int source, int target, int hint) {
        TorusShape shape = routing.grid().shape();
        int sl = mode.unicastSl(shape.datelineBits(source, target), hint);
        List<Hop> hops = new ArrayList<>();
        int in = SlToVlRule.END;
        for (int at = source; at != target; ) {
            int group = routing.nextGroup(at, target);
            if (group == TorusGroup.NONE || hops.size() >= shape.positions()) {
                return Optional.empty();
            }
            int next = shape.step(at, group);
            int out = TorusGroup.dimension(group);
            hops.add(new Hop(at, group, next, slToVl.vl(in, out, sl), routing.reason(at, target, in, group)));
            in = out;
            at = next;
        }
        return Optional.of(new TorusPath(hops, sl));
    }
}
