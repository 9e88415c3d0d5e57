package org.railyard.o2iblnd;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.testkit.Requirement;

/** The transport over InfiniBand keeps the contract. */
@Requirement({"rsl-058", "rsl-078", "rsl-144"})
class O2ibConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new O2ibFixture(Tunables.DEFAULT, 1);
    }
}
