package org.railyard.ibverbs;

import org.railyard.conformance.bond.BondedCards;
import org.railyard.conformance.bond.LostLinkContract;
import org.railyard.ibverbs.standin.StandIn;

/** Two cards bonded, a link down and up again, with cards that stand in for real ones. */
final class LostLinkTest extends LostLinkContract {
    @Override
    protected BondedCards open() {
        return new StandInBond(StandIn::remove, "");
    }
}
