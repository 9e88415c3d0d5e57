package org.railyard.ibverbs;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.bond.BondedCards;
import org.railyard.conformance.bond.LostCardContract;
import org.railyard.ibverbs.standin.StandIn;

/** A card is lost to running nodes, in the three ways in which that is told; with what stands in for cards. */
final class LostCardTest {
    private static final String TAKEN_AWAY = "was taken away; when it is there again, restart this program";
    private static final int DEVICE_FATAL = 8;

    /** As {@code rdma_rxe} does: the ends of connections are told, and no one else. */
    @Nested
    class ToldToConnections extends LostCardContract {
        @Override
        protected BondedCards open() {
            return new StandInBond(StandIn::remove, TAKEN_AWAY);
        }
    }

    /** As cards do that break: an event of the device, and nothing of the connections. */
    @Nested
    class ToldAsFatal extends LostCardContract {
        @Override
        protected BondedCards open() {
            return new StandInBond(
                    (machine, card) -> machine.raise(card, DEVICE_FATAL, 0),
                    "tells of a fatal error: it carries nothing");
        }

        @Override
        protected boolean isGone() {
            return false;
        }
    }

    /** As cards do whose driver is unloaded: what they told something by only fails from now on. */
    @Nested
    class ToldByFailure extends LostCardContract {
        @Override
        protected BondedCards open() {
            return new StandInBond(StandIn::takeOut, TAKEN_AWAY);
        }
    }
}
