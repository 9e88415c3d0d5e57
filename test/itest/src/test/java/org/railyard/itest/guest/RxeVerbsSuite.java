package org.railyard.itest.guest;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.ibverbs.MemoryMode;

/** The contract of verbs, kept by the provider on {@code rdma_rxe}; run in the guest. */
class RxeVerbsSuite extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new RxeWorld(MemoryMode.COPY);
    }
}
