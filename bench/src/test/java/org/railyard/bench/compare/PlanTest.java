package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1, 5, 1, round of 0 s",
        "61, 1, 5, 1, round of 61 s",
        "1, 0, 5, 1, byte limit 0",
        "1, 1, 0, 1, 0 rounds",
        "1, 1, 101, 1, 101 rounds",
        "1, 1, 5, -1, -1 warm-up rounds",
        "1, 1, 5, 11, 11 warm-up rounds"
    })
    void refusesWhatIsOutOfRange(int seconds, long bytes, int rounds, int warmups, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Plan(new RoundSettings(seconds, bytes), rounds, warmups))
                .withMessageContaining(message);
    }

    @Test
    void timeGrowsWithContendersAndAllRounds() {
        Plan plan = new Plan(new RoundSettings(2, 1), 5, 1);
        assertThat(plan.seconds(3)).isEqualTo(36);
        assertThat(plan.settings().nanos()).isEqualTo(2_000_000_000L);
    }
}
