package org.railyard.ibverbs;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;

/** The transport keeps its contract when all memory is registered on demand. */
class OnDemandConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new IbvLndFixture(MemoryMode.ON_DEMAND, machine -> machine.onDemand(true));
    }
}
