package org.railyard.socklnd;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.testkit.Requirement;

/** TCP keeps the contract of transports. */
@Requirement({"rsl-058", "rsl-078", "rsl-142", "rsl-143", "hlt-005", "hlt-010"})
class SockLndConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new SockLndFixture(false);
    }

    @Override
    protected LndFixture openBreakable() {
        return new SockLndFixture(true);
    }
}
