package org.railyard.itest.guest;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.ibverbs.MemoryMode;

/** The contract of verbs, with memory windows of type 2, kept on {@code rdma_rxe}; run in the guest. */
class RxeWindowVerbsSuite extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new RxeWorld(MemoryMode.WINDOW);
    }
}
