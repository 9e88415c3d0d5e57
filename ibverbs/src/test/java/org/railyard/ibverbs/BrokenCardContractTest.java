package org.railyard.ibverbs;

import org.railyard.conformance.FailureContract;
import org.railyard.conformance.LndFixture;

/** Connections come to their end, and nothing is kept, when the card can not put their queue pairs in error. */
class BrokenCardContractTest extends FailureContract {
    private static final int EIO = 5;

    @Override
    protected LndFixture open() {
        return new IbvLndFixture(MemoryMode.COPY, machine -> machine.fails("ibv_modify_qp", EIO));
    }
}
