package org.railyard.fabric.torus;

import java.util.Optional;

/**
 * What only torus-2QoS is told.
 *
 * @param strict refuse also what OpenSM refuses, and take the same seed and direction rule as OpenSM does
 * @param mode how service levels are shared out; empty: two levels if two are wanted, else multicast apart if there are VLs for it
 */
public record TorusOptions(boolean strict, Optional<QosMode> mode) {
    /** Accept what is proved, choose the mode by what is wanted and there. */
    public static final TorusOptions DEFAULT = new TorusOptions(false, Optional.empty());

    /** The same, and OpenSM's verdicts on top. */
    public static final TorusOptions STRICT = new TorusOptions(true, Optional.empty());

    /** Returns the rule for open dimensions. */
    DirectionRule directionRule() {
        return strict ? DirectionRule.RING : DirectionRule.MESH_AWARE;
    }
}
