package org.railyard.fabric.proven;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.RoutingResult;

/** What an engine made of a fabric, before any proof. */
public sealed interface Computed permits Tables, Refused {
    /** Returns the tables or the refusal. */
    RoutingResult result();

    /**
     * Returns the tables.
     *
     * @throws IllegalArgumentException if the engine refuses the fabric; the message has its reasons
     */
    default Tables orThrow() {
        return switch (this) {
            case Tables tables -> tables;
            case Refused(Fabric _, Refusal refusal) ->
                throw new IllegalArgumentException(refusal.engine() + ": " + refusal.reasons());
        };
    }
}
