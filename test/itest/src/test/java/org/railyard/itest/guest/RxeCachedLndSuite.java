package org.railyard.itest.guest;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.ibverbs.MemoryMode;

/**
 * LNet over InfiniBand keeps its contract on {@code rdma_rxe} when memory of messages is registered in a cache; run in
 * the guest.
 */
class RxeCachedLndSuite extends LndConformance {
    @Override
    protected LndFixture open() {
        return new RxeLndFixture(MemoryMode.CACHE);
    }
}
