package org.railyard.fabric.torus;

import java.util.Optional;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.qos.QosMode;

/**
 * What only torus-2QoS is told.
 *
 * @param acceptance what is routed and what is refused
 * @param mode how service levels are shared out; empty: two levels if two are wanted, else multicast apart if there are
 *     VLs for it
 */
public record TorusOptions(Acceptance acceptance, Optional<QosMode> mode) {
    /** Accept what is proved, choose the mode by what is wanted and there. */
    public static final TorusOptions DEFAULT = new TorusOptions(Acceptance.PROVED, Optional.empty());

    /** The same, and OpenSM's verdicts on top. */
    public static final TorusOptions STRICT = new TorusOptions(Acceptance.STRICT, Optional.empty());

    /** What OpenSM would do. */
    public static final TorusOptions LIKE_OPENSM = new TorusOptions(Acceptance.LIKE_OPENSM, Optional.empty());

    /** What is routed and what is refused. */
    public enum Acceptance {
        /** Routed is what has no credit loop, and nothing else is refused. */
        PROVED,
        /** Refused is also what OpenSM refuses; seed and direction rule are OpenSM's. */
        STRICT,
        /**
         * Routed is what OpenSM routes, with its multicast tree, whether or not a credit loop results. For comparison:
         * nobody should run such tables without the check.
         */
        LIKE_OPENSM
    }

    /** Returns whether seed, direction rule and verdicts are OpenSM's. */
    boolean strict() {
        return acceptance != Acceptance.PROVED;
    }

    /** Returns the rule for open dimensions. */
    DirectionRule directionRule() {
        return strict() ? DirectionRule.RING : DirectionRule.MESH_AWARE;
    }

    /** Returns the unicast routing that these options make of a grid. */
    public DimensionOrder order(TorusGrid grid) {
        return new DimensionOrder(grid, directionRule());
    }
}
