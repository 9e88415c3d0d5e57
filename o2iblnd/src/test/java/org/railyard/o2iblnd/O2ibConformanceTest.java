package org.railyard.o2iblnd;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.o2iblnd.tune.Tunables;

/** The transport over InfiniBand keeps the contract. */
class O2ibConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new O2ibFixture(Tunables.DEFAULT, 1);
    }
}
