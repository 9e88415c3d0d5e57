package org.railyard.ibverbs;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;

/** The transport keeps its contract when peers reach memory of users by windows of type 2. */
class WindowConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new IbvLndFixture(MemoryMode.WINDOW, machine -> machine.windows(true));
    }
}
