package org.railyard.conformance.bond;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Two nodes bonded over two cards keep talking when a link of one is lost, and use it again when it is back. */
public abstract class LostLinkContract {
    private static final int ROUNDS = 4;
    private static final int FULL_HEALTH = 1000;

    /** For subclasses. */
    protected LostLinkContract() {}

    /** Returns cards of their own. */
    protected abstract BondedCards open();

    @Test
    void aLinkIsLostAndComesBack() {
        try (BondedCards cards = open();
                BondedNode one = new BondedNode(cards, 0);
                BondedNode other = new BondedNode(cards, 1)) {
            until(cards, "both cards carry", one, other, () -> cards.sent(0, 0) > 0 && cards.sent(0, 1) > 0);

            cards.link(1, false);
            assertThat(cards.await(() -> !cards.isUsable(0, 1) && !cards.isUsable(1, 1)))
                    .as("both nodes know that it is down")
                    .isTrue();
            long before = cards.sent(0, 1);
            for (int i = 0; i < ROUNDS; i++) {
                one.exchange(other);
                other.exchange(one);
            }
            assertThat(cards.sent(0, 1)).as("nothing leaves there").isEqualTo(before);
            for (BondedNode each : new BondedNode[] {one, other}) {
                assertThat(each.ni().failures().fatal()).isFalse();
                assertThat(each.peers())
                        .allSatisfy(peer -> assertThat(peer.health())
                                .as("nobody blames " + peer.nid())
                                .isEqualTo(FULL_HEALTH));
            }

            cards.link(1, true);
            assertThat(cards.await(() -> cards.isUsable(0, 1) && cards.isUsable(1, 1)))
                    .as("it is back")
                    .isTrue();
            until(cards, "it carries again", one, other, () -> cards.sent(0, 1) > before);
            assertThat(one.ni().up()).isTrue();
        }
    }

    private static void until(BondedCards cards, String what, BondedNode one, BondedNode other, BooleanSupplier done) {
        assertThat(cards.await(() -> {
                    one.exchange(other);
                    other.exchange(one);
                    return done.getAsBoolean();
                }))
                .as(what)
                .isTrue();
    }
}
