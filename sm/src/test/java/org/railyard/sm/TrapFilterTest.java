package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which traps of a noisy source count (spec 41 §6). */
class TrapFilterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MANY = 50_000;

    private final TrapFilter filter = new TrapFilter();
    private int admitted;

    private void trap(int lid, int number, long now) {
        if (filter.admit(lid, number, now)) {
            admitted++;
        } else {
            assertThat(filter.until(lid, number)).isGreaterThanOrEqualTo(now);
        }
    }

    @Test
    void otherNumbersDoNotMakeASourceAnotherOne() {
        for (int i = 0; i < MANY; i++) {
            trap(7, i, SECOND);
        }
        assertThat(admitted).isEqualTo(TrapFilter.MOST_OF_ALL);
        assertThat(filter.ignored()).isEqualTo(MANY - TrapFilter.MOST_OF_ALL);
        assertThat(filter.admit(7, 1, 62 * SECOND)).as("after a quiet minute").isTrue();
    }

    /** A standby calls for a handover every 2 s, and never heeds that it is ignored. */
    @Test
    void aSourceThatGoesOnSlowlyIsHeardAgain() {
        for (int i = 0; i < MANY; i++) {
            trap(7, 256, SECOND);
        }
        admitted = 0;
        for (int second = 3; second <= 65; second += 2) {
            trap(7, 144, second * SECOND);
        }
        assertThat(admitted).isZero();
        trap(7, 144, 67 * SECOND);
        assertThat(admitted).isOne();
    }

    @Test
    void aSourceThatGoesOnFastIsNotHeard() {
        for (int i = 0; i < MANY; i++) {
            trap(7, 129, i * SECOND / 4);
        }
        assertThat(admitted).isEqualTo(TrapFilter.MOST);
    }

    /** Sources come from the fabric, so there has to be an end to what is kept of them. */
    @Test
    void ofVeryManySourcesTheOldestIsForgotten() {
        for (int i = 0; i <= TrapFilter.MOST; i++) {
            trap(1, 128, SECOND);
        }
        for (int lid = 2; lid <= TrapFilter.MAX_SOURCES; lid++) {
            trap(lid, 128, SECOND);
        }
        assertThat(filter.admit(1, 128, SECOND)).as("there is still room").isFalse();
        trap(TrapFilter.MAX_SOURCES + 1, 128, SECOND);
        assertThat(filter.admit(1, 128, SECOND)).isTrue();
    }

    @Test
    void whatOneSendsIsNoMatterToOthers() {
        for (int i = 0; i < 2 * TrapFilter.MOST; i++) {
            trap(8, 128, SECOND);
        }
        assertThat(admitted).isEqualTo(TrapFilter.MOST);
        for (int i = 0; i < MANY; i++) {
            trap(7, i, 2 * SECOND);
        }
        assertThat(filter.admit(8, 128, 3 * SECOND)).as("still noisy").isFalse();
        assertThat(filter.admit(8, 144, 3 * SECOND)).isTrue();
        assertThat(filter.admit(9, 128, 3 * SECOND)).isTrue();
    }
}
