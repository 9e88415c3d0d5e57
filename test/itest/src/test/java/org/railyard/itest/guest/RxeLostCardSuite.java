package org.railyard.itest.guest;

import org.railyard.conformance.bond.BondedCards;
import org.railyard.conformance.bond.LostCardContract;

/** A device of {@code rdma_rxe} is deleted while nodes use it; run in the guest, by a process of its own. */
class RxeLostCardSuite extends LostCardContract {
    @Override
    protected BondedCards open() {
        return new RxeBond();
    }
}
