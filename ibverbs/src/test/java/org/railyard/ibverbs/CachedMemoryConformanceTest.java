package org.railyard.ibverbs;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;

/** The transport keeps its contract when memory of users is registered in a cache. */
class CachedMemoryConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new IbvLndFixture(MemoryMode.CACHE, machine -> machine.onDemand(true));
    }
}
