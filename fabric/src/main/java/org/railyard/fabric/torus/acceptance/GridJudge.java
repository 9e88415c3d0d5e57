package org.railyard.fabric.torus.acceptance;

import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.qos.QosMode;

/** Decides whether a torus can be routed: what {@link GridVerdict#of} says, or the same by a shorter way. */
@FunctionalInterface
public interface GridJudge {
    /** Returns the verdict. */
    GridVerdict of(DimensionOrder routing, SlToVlRule slToVl, QosMode mode);
}
