package org.railyard.base;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InvariantTest {
    @Test
    void oneThatHoldsIsPassedBy() {
        assertThatCode(() -> Invariant.check(true, "a pool", "no more than there may be", 3, 4))
                .doesNotThrowAnyException();
    }

    @Test
    void oneThatDoesNotTellsWhatWasFound() {
        assertThatThrownBy(() -> Invariant.check(false, "a pool", "no more than there may be", 5, 4))
                .isInstanceOf(AssertionError.class)
                .hasMessage("invariant broken: a pool: expected no more than there may be, found [5, 4]");
    }
}
