package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MediansTest {
    @Test
    void oddNumberGivesTheMiddle() {
        assertThat(Medians.of(9, 1, 5)).isEqualTo(5);
    }

    @Test
    void evenNumberGivesTheMeanOfTheTwoInTheMiddle() {
        assertThat(Medians.of(4, 1, 100, 2)).isEqualTo(3);
    }

    @Test
    void leavesItsInputAlone() {
        double[] figures = {3, 1, 2};
        Medians.of(figures);
        assertThat(figures).containsExactly(3, 1, 2);
    }

    @Test
    void nothingHasNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(Medians::of);
    }
}
