package org.railyard.fabric.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.HopReason;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Says of each hop of a path on a torus which way it goes and why. Immutable.
 *
 * <p>With the routing that torus-2QoS would do the reasons are its own, and hops that it would not take are told apart;
 * without, turns are named.
 */
public final class HopReasons {
    private static final int VL_DATELINE = 1;
    private static final int NOT_FROM_TORUS = 3;

    private final Fabric fabric;
    private final TorusLayout layout;
    private final Optional<DimensionOrder> order;

    /** Prepares reasons; the routing must be that of a torus of the layout's shape. */
    public HopReasons(Fabric fabric, TorusLayout layout, Optional<DimensionOrder> order) {
        this.fabric = fabric;
        this.layout = layout;
        this.order = order;
    }

    /** Returns a text for each hop; empty for the cables of end ports. */
    public List<String> of(TablePath path) {
        List<String> reasons = new ArrayList<>();
        int target = fabric.portOfLid(path.destinationLid());
        int last = target == Fabric.NONE ? Fabric.NONE : fabric.switchOf(target);
        int targetPosition = last == Fabric.NONE ? TorusLayout.NONE : layout.positionOf(last);
        int inDimension = NOT_FROM_TORUS;
        for (TablePath.Hop hop : path.hops()) {
            int peer = fabric.peer(hop.port());
            boolean between = fabric.isSwitch(fabric.nodeOf(hop.port())) && fabric.isSwitch(fabric.nodeOf(peer));
            int group = layout.groupOf(fabric, hop.port());
            if (!between) {
                reasons.add("");
            } else if (group == TorusGroup.NONE) {
                reasons.add("a cable that is not part of the torus");
                inDimension = NOT_FROM_TORUS;
            } else {
                int at = layout.positionOf(fabric.nodeOf(hop.port()));
                reasons.add(TorusGroup.name(group) + ", " + reason(at, targetPosition, inDimension, group)
                        + dateline(at, group, hop.vl()));
                inDimension = TorusGroup.dimension(group);
            }
        }
        return reasons;
    }

    private String reason(int at, int target, int inDimension, int group) {
        int dimension = TorusGroup.dimension(group);
        if (order.isPresent() && target != TorusLayout.NONE) {
            DimensionOrder routing = order.get();
            int expected = routing.nextGroup(at, target);
            if (expected == group) {
                HopReason reason = routing.reason(at, target, inDimension, group);
                boolean turns = inDimension < TorusShape.DIMENSIONS && inDimension != dimension;
                return (turns && reason == HopReason.SHORT_WAY ? "done in " + "xyz".charAt(inDimension) + ": " : "")
                        + reason.text();
            }
            return "torus-2QoS would "
                    + (expected == TorusGroup.NONE ? "have no way" : "go " + TorusGroup.name(expected));
        }
        if (inDimension == NOT_FROM_TORUS) {
            return "from the first switch";
        }
        return inDimension == dimension
                ? "straight on"
                : (inDimension > dimension ? "turn back into an earlier dimension, from " : "turn from ")
                        + "xyz".charAt(inDimension);
    }

    private String dateline(int at, int group, int vl) {
        TorusShape shape = layout.shape();
        int d = TorusGroup.dimension(group);
        boolean crosses = Math.abs(shape.coordinate(at, d) - shape.coordinate(shape.step(at, group), d)) > 1;
        boolean marked = order.isPresent() && (vl & VL_DATELINE) != 0;
        return (crosses ? "; over the dateline" : "")
                + (marked ? "; VL bit 0: the short way in " + "xyz".charAt(d) + " crosses the dateline" : "");
    }
}
