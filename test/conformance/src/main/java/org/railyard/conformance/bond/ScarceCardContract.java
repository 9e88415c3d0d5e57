package org.railyard.conformance.bond;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.NodeEventKind;

/**
 * A card that has nothing left for one more connection: who asks is refused and told why, what there is goes on, other
 * NIs are not concerned, the NI is not blamed for what it refuses, and when there is something again, whoever was
 * refused gets through.
 */
public abstract class ScarceCardContract {
    private static final int FULL_HEALTH = 1000;
    private static final String REASON = "no_resources";

    /** For subclasses. */
    protected ScarceCardContract() {}

    /** Returns cards of their own. */
    protected abstract ScarceCards open();

    @Test
    void oneMoreConnectionIsTooMuch() {
        try (ScarceCards cards = open();
                BondedNode asked = new BondedNode(cards, 0);
                BondedNode first = new BondedNode(cards, 1);
                BondedNode late = new BondedNode(cards, 2);
                BondedNode elsewhere = new BondedNode(cards, 3)) {
            first.exchange(asked);
            if (!cards.isOfCard()) {
                elsewhere.exchange(asked, cards.second());
            }

            cards.useUp();
            assertThat(late.failsToReach(asked)).as("there is no room for it").isTrue();
            assertThat(cards.refusals(0))
                    .as("it is told why")
                    .hasEntrySatisfying(REASON, count -> assertThat(count).isPositive());
            assertThat(cards.isExplained()).as("the log says what is used up").isTrue();
            first.exchange(asked);
            elsewhere.exchange(asked, cards.second());
            assertThat(asked.ni().up()).isTrue();
            assertThat(asked.ni().health()).as("it is not to blame").isEqualTo(FULL_HEALTH);
            assertThat(asked.ni().failures().fatal()).isFalse();
            assertThat(asked.news()).noneMatch(event -> event.kind() == NodeEventKind.NI_DOWN);
            assertThat(!cards.limitsCalls() || asked.failsToReach(late))
                    .as("nor is there for its own")
                    .isTrue();
            first.exchange(asked);

            cards.free();
            assertThat(cards.await(() -> !late.failsToReach(asked)))
                    .as("there is room again")
                    .isTrue();
            late.exchange(asked);
            asked.exchange(late);
        }
    }
}
