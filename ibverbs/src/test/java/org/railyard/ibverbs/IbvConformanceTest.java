package org.railyard.ibverbs;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;

/** The provider keeps the contract, on what stands in for the libraries. */
class IbvConformanceTest extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new StandInWorld();
    }
}
