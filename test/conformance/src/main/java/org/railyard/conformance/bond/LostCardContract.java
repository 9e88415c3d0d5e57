package org.railyard.conformance.bond;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.NodeEventKind;

/**
 * A card is taken out of running nodes: an NI that has no other one fails and says why, its peers are not blamed, and
 * the other card of a group goes on. What the nodes have of the card is given back while they run. The card is not
 * there again afterwards.
 */
public abstract class LostCardContract {
    private static final int ROUNDS = 4;
    private static final int FULL_HEALTH = 1000;

    /** For subclasses. */
    protected LostCardContract() {}

    /** Returns cards of their own. */
    protected abstract BondedCards open();

    /** Tells whether the card is gone for good, or only broken, so that it may recover. */
    protected boolean isGone() {
        return true;
    }

    @Test
    void aCardIsTakenOut() {
        try (BondedCards cards = open();
                BondedNode one = new BondedNode(cards, 0);
                BondedNode other = new BondedNode(cards, 1);
                BondedNode alone = new BondedNode(cards, 2);
                BondedNode far = new BondedNode(cards, 3)) {
            for (int i = 0; i < ROUNDS; i++) {
                one.exchange(other);
                alone.exchange(far);
            }

            cards.takeOut(1);
            assertThat(cards.await(() -> !cards.isUsable(0, 1)
                            && !cards.isUsable(1, 1)
                            && !cards.isUsable(2, 1)
                            && !cards.isUsable(3, 1)))
                    .as("all nodes know")
                    .isTrue();
            for (int i = 0; i < ROUNDS; i++) {
                one.exchange(other);
                other.exchange(one);
            }
            for (BondedNode each : new BondedNode[] {one, other}) {
                assertThat(each.ni().failures().fatal()).as("a card is left").isFalse();
            }

            assertThat(cards.await(() -> alone.ni().failures().fatal()))
                    .as("no card is left")
                    .isTrue();
            assertThat(alone.failsToReach(far)).isTrue();
            assertThat(alone.news())
                    .anyMatch(event ->
                            event.kind() == NodeEventKind.NI_DOWN && event.nid().equals(alone.nid()));
            assertThat(cards.isExplained()).as("the log says why").isTrue();
            assertThat(cards.await(() -> cards.isGivenBack(1) == isGone()))
                    .as("nothing is kept of a card that is gone")
                    .isTrue();
            for (BondedNode each : new BondedNode[] {one, other, alone, far}) {
                assertThat(each.peers())
                        .allSatisfy(peer -> assertThat(peer.health())
                                .as("nobody blames " + peer.nid())
                                .isEqualTo(FULL_HEALTH));
            }
        }
    }
}
