package org.railyard.bench.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The clock goes on by a second with each look. */
class RoundProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private long now;
    private long count;
    private int looks;
    private final RoundProgress progress = new RoundProgress(() -> now, () -> count, "PUTs");

    private boolean look(int end) {
        now += SECOND;
        return ++looks == end;
    }

    @Test
    void whatIsLostEndsTheRound() {
        count = 41;
        assertThatThrownBy(() -> progress.awaitEnd(() -> look(-1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("none of the PUTs that are missing came for 5 s, 41 did before");
        assertThat(looks).isEqualTo(5);
    }

    @Test
    void slowProgressIsWaitedFor() throws Exception {
        progress.awaitEnd(() -> {
            count += looks % 4 == 0 ? 1 : 0;
            return look(100);
        });
        assertThat(looks).isEqualTo(100);
    }

    @Test
    void roundsAreCalledOff() {
        assertThatThrownBy(() -> progress.awaitEnd(() -> {
                    Thread.currentThread().interrupt();
                    return false;
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
