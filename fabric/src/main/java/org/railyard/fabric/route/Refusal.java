package org.railyard.fabric.route;

import java.util.List;

/**
 * A fabric that the engine does not route.
 *
 * @param engine name of the engine
 * @param reasons why, the most important first; at least one
 */
public record Refusal(String engine, List<Reason> reasons) implements RoutingResult {
    /** Checks that there is a reason. */
    public Refusal {
        reasons = List.copyOf(reasons);
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("a refusal has a reason");
        }
    }

    /**
     * One reason.
     *
     * @param code what kind it is: OpenSM's number where it has one ("4E38"), else a short word
     * @param text what is wrong and what to look at, one sentence
     */
    public record Reason(String code, String text) {}
}
