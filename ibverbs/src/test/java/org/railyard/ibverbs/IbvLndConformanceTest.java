package org.railyard.ibverbs;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;

/** The transport over InfiniBand keeps its contract on cards that stand in for real ones. */
class IbvLndConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new IbvLndFixture();
    }
}
