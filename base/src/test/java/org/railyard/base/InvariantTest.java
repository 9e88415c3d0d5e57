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

    @Test
    void whatWasFoundIsToldHoweverMuchItIs() {
        String expected = "invariant broken: a pool: expected something else, found ";
        assertThatThrownBy(() -> Invariant.check(false, "a pool", "something else", 5))
                .hasMessage(expected + "[5]");
        assertThatThrownBy(() -> Invariant.check(false, "a pool", "something else", "a word"))
                .hasMessage(expected + "[a word]");
        assertThatThrownBy(() -> Invariant.check(false, "a pool", "something else", 5, 4, 3))
                .hasMessage(expected + "[5, 4, 3]");
        assertThatThrownBy(() -> Invariant.check(false, "a pool", "something else", 5, "a word"))
                .hasMessage(expected + "[5, a word]");
    }
}
