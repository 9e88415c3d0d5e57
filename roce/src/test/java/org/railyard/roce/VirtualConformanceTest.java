package org.railyard.roce;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.testkit.Requirement;

/** The provider keeps the contract, on a good network in virtual time. */
@Requirement({"sv-001", "sv-003", "sv-004", "sv-005", "sv-040"})
class VirtualConformanceTest extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new VirtualWorld(1, 1500, false);
    }
}
