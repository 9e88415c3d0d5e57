package org.railyard.fabric.proven;

import java.util.List;
import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusPlan;

/**
 * Tables, not proved yet.
 *
 * @param fabric the fabric, with LIDs
 * @param routing forwarding tables, SLs, SL to VL, multicast
 * @param plan where the switches of a torus are and why paths go as they go; empty for other engines
 * @param findings what an operator should know of LIDs and settings, one line each
 */
public record Tables(Fabric fabric, Routing routing, Optional<TorusPlan> plan, List<String> findings)
        implements Computed {
    /** Copies the findings. */
    public Tables {
        findings = List.copyOf(findings);
    }

    @Override
    public Routing result() {
        return routing;
    }
}
