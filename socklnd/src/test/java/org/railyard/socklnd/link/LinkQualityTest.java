package org.railyard.socklnd.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When the counters of a device make it bad, and when good again. */
class LinkQualityTest {
    private final LinkQuality quality = new LinkQuality();
    private long frames;
    private long errors;
    private long now = -5;

    /** Lets an interval pass, and tells whether the device became bad in it. */
    private boolean interval(long moreFrames, long moreErrors) {
        frames += moreFrames;
        errors += moreErrors;
        now += LinkQuality.INTERVAL_NANOS;
        assertThat(quality.isDue(now - 1)).isFalse();
        assertThat(quality.isDue(now)).isTrue();
        return quality.look(new LinkCounts(frames, errors), now);
    }

    private void begin() {
        assertThat(quality.isDue(now)).isTrue();
        assertThat(quality.look(new LinkCounts(frames, errors), now)).isFalse();
        assertThat(quality.isDue(now)).isFalse();
    }

    /** Returns in how many of some intervals the device became bad. */
    private int intervals(int count, long moreFrames, long moreErrors) {
        int reports = 0;
        for (int i = 0; i < count; i++) {
            reports += interval(moreFrames, moreErrors) ? 1 : 0;
        }
        return reports;
    }

    @Test
    void theThirdBadIntervalInARowIsReportedOnce() {
        begin();
        assertThat(interval(100_000, 100)).isFalse();
        assertThat(interval(100_000, 100)).isFalse();
        assertThat(interval(100_000, 100)).isTrue();
        assertThat(intervals(9, 100_000, 100)).as("it is bad already").isZero();
    }

    @Test
    void fewErrorsAmongManyFramesOrInAllAreNormal() {
        begin();
        assertThat(intervals(3, 100_001, 100)).isZero();
        assertThat(intervals(3, 99, 99)).isZero();
        assertThat(intervals(3, 0, 0)).isZero();
        assertThat(intervals(2, 0, 1000)).isZero();
        assertThat(interval(100_001, 100)).isFalse();
        assertThat(intervals(2, 0, 1000)).as("not in a row").isZero();
        assertThat(interval(0, 100)).isTrue();
    }

    @Test
    void sixIntervalsWithoutErrorsMakeItGoodAgain() {
        begin();
        assertThat(intervals(3, 0, 1000)).isEqualTo(1);
        intervals(LinkQuality.GOOD_INTERVALS - 1, 1_000_000, 0);
        interval(1_000_000, 1);
        assertThat(intervals(3, 0, 1000)).as("it never became good").isZero();
        assertThat(intervals(LinkQuality.GOOD_INTERVALS, 1_000_000, 0)).isZero();
        assertThat(intervals(3, 0, 1000)).isEqualTo(1);
    }

    @Test
    void countersThatBeginAgainOrAreNotToldSayNothing() {
        begin();
        interval(0, 1000);
        interval(0, 1000);
        errors = 0;
        assertThat(interval(0, 1999)).as("another device of that name").isFalse();
        assertThat(quality.look(null, now)).isFalse();
        assertThat(quality.isDue(now)).isTrue();
        errors += 1000;
        assertThat(quality.look(new LinkCounts(frames, errors), now))
                .as("the first look")
                .isFalse();
    }
}
