package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Requests keep their numbers for as many of them as there may be, though tags have few bits for their places. */
final class RequestRingTest {
    private static final int SIZE = 3;

    @Test
    void placesBeginAnewAndNumbersStay() {
        long before = RequestRing.PLACE_MASK - 4;
        RequestRing ring = new RequestRing(SIZE, before);
        for (long id = 0; id < 12; id++) {
            assertThat(ring.set(0, id)).isEqualTo(before + id & RequestRing.PLACE_MASK);
            ring.posted(1);
            if (id >= SIZE - 1) {
                long first = before + id - (SIZE - 1) & RequestRing.PLACE_MASK;
                assertThat(ring.room()).isZero();
                assertThat(ring.id(first)).isEqualTo(id - (SIZE - 1));
                ring.completed(first);
                assertThat(ring.room()).isEqualTo(1);
            }
        }
    }

    @Test
    void oneStandsForThoseBeforeItAndNoneIsTakenBack() {
        RequestRing ring = new RequestRing(SIZE, 1L << RequestRing.PLACE_BITS);
        ring.posted(3);
        ring.completed(1);
        assertThat(ring.room()).isEqualTo(2);
        ring.completed(0);
        assertThat(ring.room()).as("one before it").isEqualTo(2);
    }

    @Test
    void theCardIsDoneWhenWhatItTellsOfHasCompleted() {
        RequestRing ring = new RequestRing(SIZE, 0);
        assertThat(ring.isCardDone()).isTrue();
        ring.posted(3);
        ring.awaitAllBut(1);
        ring.completed(0);
        assertThat(ring.isCardDone()).isFalse();
        ring.completed(1);
        assertThat(ring.isCardDone()).as("it may never tell of the last one").isTrue();
    }

    @Test
    void requestsOfOneChainAreCountedFromTheNextOne() {
        RequestRing ring = new RequestRing(SIZE, RequestRing.PLACE_MASK);
        for (int ahead = 0; ahead < SIZE; ahead++) {
            assertThat(ring.ahead(ring.set(ahead, 100 + ahead))).isEqualTo(ahead);
        }
        ring.posted(1);
        assertThat(ring.ahead(1)).as("now the second one").isEqualTo(1);
    }
}
