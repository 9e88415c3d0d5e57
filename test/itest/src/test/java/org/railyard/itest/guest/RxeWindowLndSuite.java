package org.railyard.itest.guest;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.ibverbs.MemoryMode;

/**
 * LNet over InfiniBand keeps its contract on {@code rdma_rxe} when peers reach memory of messages by windows of type 2;
 * run in the guest.
 */
class RxeWindowLndSuite extends LndConformance {
    @Override
    protected LndFixture open() {
        return new RxeLndFixture(MemoryMode.WINDOW);
    }
}
