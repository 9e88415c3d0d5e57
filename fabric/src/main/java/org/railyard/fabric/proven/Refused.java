package org.railyard.fabric.proven;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;

/**
 * The engine does not route the fabric.
 *
 * @param fabric the fabric, with LIDs if it could be given some
 * @param refusal why
 */
public record Refused(Fabric fabric, Refusal refusal) implements Computed, RoutingOutcome {
    @Override
    public Refusal result() {
        return refusal;
    }
}
