package org.railyard.softverbs;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.testkit.Requirement;

/** The simulated fabric keeps the contract of verbs providers. */
@Requirement({"sv-001", "sv-003", "sv-004", "sv-005"})
class SoftVerbsConformanceTest extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new SoftVerbsFixture(Fidelity.MESSAGE);
    }
}
