package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which traps are the same again. */
class TrapRepeatsTest {
    private final TrapRepeats repeats = new TrapRepeats();

    @Test
    void theSameTrapAgainIsARepetition() {
        assertThat(repeats.isRepeated(5, 128, 7, 0)).isFalse();
        assertThat(repeats.isRepeated(5, 128, 7, 1)).isTrue();
        assertThat(repeats.isRepeated(6, 128, 7, 1)).as("another source").isFalse();
        assertThat(repeats.isRepeated(5, 144, 7, 1)).as("another kind").isFalse();
        assertThat(repeats.isRepeated(5, 128, 8, 1)).as("another one").isFalse();
    }

    /** Those of ibsim have 0. */
    @Test
    void withoutTransactionIdsEachIsNew() {
        assertThat(repeats.isRepeated(5, 128, 0, 0)).isFalse();
        assertThat(repeats.isRepeated(5, 128, 0, 1)).isFalse();
    }

    @Test
    void repetitionsThatGoOnAreSuchForEver() {
        repeats.isRepeated(5, 128, 7, 0);
        for (int times = 1; times < 5; times++) {
            assertThat(repeats.isRepeated(5, 128, 7, times * TrapRepeats.WITHIN))
                    .isTrue();
        }
        assertThat(repeats.isRepeated(5, 128, 7, 5 * TrapRepeats.WITHIN + 1)).isFalse();
    }

    @Test
    void theOldestAreForgotten() {
        repeats.isRepeated(1, 128, 1, 0);
        repeats.isRepeated(2, 128, 1, 0);
        repeats.isRepeated(1, 128, 1, 0);
        for (int lid = 3; lid <= TrapRepeats.MAX_TRAPS + 1; lid++) {
            repeats.isRepeated(lid, 128, 1, 0);
        }
        assertThat(repeats.isRepeated(1, 128, 1, 0)).isTrue();
        assertThat(repeats.isRepeated(2, 128, 1, 0)).isFalse();
    }
}
