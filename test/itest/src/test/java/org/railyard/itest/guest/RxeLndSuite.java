package org.railyard.itest.guest;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.ibverbs.MemoryMode;

/** LNet over InfiniBand keeps its contract on {@code rdma_rxe}; run in the guest. */
class RxeLndSuite extends LndConformance {
    @Override
    protected LndFixture open() {
        return new RxeLndFixture(MemoryMode.COPY);
    }
}
