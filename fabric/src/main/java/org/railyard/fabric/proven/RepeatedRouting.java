package org.railyard.fabric.proven;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastGroup;

/**
 * Routes a fabric each time it changes, and keeps what was proved last, see {@link ProvenRouting#runAgain}. Takes the
 * memory of one routing. For one thread.
 */
public final class RepeatedRouting {
    private @Nullable Proven last;
    private @Nullable RoutingSettings settingsOfLast;

    /**
     * Gives LIDs, computes tables, proves them, and verifies the proof.
     *
     * @param settings where they differ from the last ones, nothing of what was proved counts
     * @param cabled the fabric as it was found
     * @param groups multicast groups to route
     * @throws IllegalStateException if the certificate does not hold: check or verifier has a defect
     */
    public RoutingOutcome run(RoutingSettings settings, Fabric cabled, List<MulticastGroup> groups) {
        ProvenRouting routing = new ProvenRouting(settings);
        Proven before = last;
        RoutingOutcome outcome = before != null && settings.equals(settingsOfLast)
                ? routing.runAgain(before, cabled, groups)
                : routing.run(cabled, groups);
        if (outcome instanceof Proven proven) {
            last = proven;
            settingsOfLast = settings;
        }
        return outcome;
    }

    /** Keeps nothing any more. */
    public void forget() {
        last = null;
    }
}
