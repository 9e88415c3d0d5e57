package org.railyard.fabric.route;

import java.util.List;

/**
 * What every engine is told.
 *
 * @param maxOpVls cap on the data VLs, coded like VLCap: 1 = 1, 2 = 2, 3 = 4, 4 = 8, 5 = 15 (no cap)
 * @param qosLevels QoS levels wanted, 1 or 2
 * @param groups multicast groups to route
 */
public record EngineOptions(int maxOpVls, int qosLevels, List<MulticastGroup> groups) {
    /** No cap, two QoS levels, no multicast groups. */
    public static final EngineOptions DEFAULT = new EngineOptions(5, 2, List.of());

    /** Checks the ranges. */
    public EngineOptions {
        if (maxOpVls < 1 || maxOpVls > 5) {
            throw new IllegalArgumentException("max_op_vls " + maxOpVls + " is not 1 to 5");
        }
        if (qosLevels < 1 || qosLevels > 2) {
            throw new IllegalArgumentException(qosLevels + " QoS levels, not 1 or 2");
        }
        groups = List.copyOf(groups);
    }

    /** Returns the same options with other groups. */
    public EngineOptions withGroups(List<MulticastGroup> groups) {
        return new EngineOptions(maxOpVls, qosLevels, groups);
    }
}
