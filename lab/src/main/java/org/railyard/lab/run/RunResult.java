package org.railyard.lab.run;

import java.util.List;
import java.util.Map;
import org.railyard.lab.check.Violation;
import org.railyard.lab.observe.Outcome;

/**
 * How a run ended.
 *
 * @param seed its seed
 * @param violations what checkers found, the first first
 * @param outcomes calls of applications, and of tests of selftest, by outcome
 * @param messages LNet messages that were handed over by the network
 * @param events events of the simulation
 * @param virtualNanos how long it was, ns of virtual time
 * @param rails what links of fabrics had to carry, a line for each rail on which packets travel
 * @param fingerprint equal for equal runs
 */
public record RunResult(
        long seed,
        List<Violation> violations,
        Map<Outcome, Long> outcomes,
        long messages,
        long events,
        long virtualNanos,
        List<String> rails,
        long fingerprint) {
    /** Copies the collections. */
    public RunResult {
        violations = List.copyOf(violations);
        outcomes = Map.copyOf(outcomes);
        rails = List.copyOf(rails);
    }

    /** Tells whether nothing was found. */
    public boolean isClean() {
        return violations.isEmpty();
    }
}
