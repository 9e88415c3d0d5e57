package org.railyard.roce.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.roce.api.RoceSettings;

class RetryTimerTest {
    private static final long MILLI = 1_000_000;

    @Test
    void packetsAreSentAgainSoonAndTriesAreCountedSeldom() {
        RetryTimer clock = new RetryTimer(30 * MILLI);
        clock.begin(RoceSettings.ackNanos(19), 2);
        clock.progress(0);
        List<Long> times = new ArrayList<>();
        long now = 0;
        boolean over = false;
        while (!over) {
            now = clock.next();
            over = clock.isOver(now);
            times.add(now / MILLI);
        }
        assertThat(times).startsWith(30L, 90L, 210L, 450L, 930L, 1430L, 1930L, 2147L, 2177L);
        assertThat(now).as("after the third time of 2.1 s").isEqualTo(3 * RoceSettings.ackNanos(19));
    }

    @Test
    void progressBeginsAnew() {
        RetryTimer clock = new RetryTimer(30 * MILLI);
        clock.begin(100 * MILLI, 0);
        clock.progress(0);
        assertThat(clock.isOver(clock.next())).isFalse();
        clock.progress(50 * MILLI);
        assertThat(clock.next()).isEqualTo(80 * MILLI);
        assertThat(clock.isOver(150 * MILLI)).isTrue();
    }
}
