package org.railyard.o2iblnd;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.o2iblnd.tune.Tunables;

/** Groups of two interfaces keep the contract of transports, on both sides. */
class BondConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new O2ibFixture(Tunables.DEFAULT, 2);
    }
}
