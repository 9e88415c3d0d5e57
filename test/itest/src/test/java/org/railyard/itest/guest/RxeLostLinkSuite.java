package org.railyard.itest.guest;

import org.railyard.conformance.bond.BondedCards;
import org.railyard.conformance.bond.LostLinkContract;

/** Two cards of {@code rdma_rxe} bonded, with a link down and up again; run in the guest. */
class RxeLostLinkSuite extends LostLinkContract {
    @Override
    protected BondedCards open() {
        return new RxeBond();
    }
}
