package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SampleTest {
    @Test
    void latencyIsTakenFromTheHistogramInMicroseconds() {
        Histogram nanos = new Histogram(10_000_000_000L, 3);
        for (int i = 1; i <= 1000; i++) {
            nanos.recordValue(i * 1000L);
        }
        Sample.Latency latency = Sample.Latency.of(nanos);
        assertThat(latency.exchanges()).isEqualTo(1000);
        assertThat(latency.value()).isEqualTo(500, within(1.0));
        assertThat(latency.p99()).isEqualTo(990, within(1.0));
        assertThat(latency.p999()).isEqualTo(999, within(1.0));
    }

    @Test
    void ratesArePerSecond() {
        assertThat(new Sample.Rate(500, 500_000_000).value()).isEqualTo(1000);
        assertThat(new Sample.Bandwidth(3 << 20, 2_000_000_000).value()).isEqualTo(1.5);
        assertThat(new Sample.Bandwidth(3 << 20, 2_000_000_000).messages()).isEqualTo(3);
        assertThat(new Sample.Rate(500, 500_000_000).messages()).isEqualTo(500);
    }

    @Test
    void largeBandwidthDoesNotOverflow() {
        assertThat(new Sample.Bandwidth(1L << 40, 1_000_000_000).value()).isEqualTo(1 << 20);
    }

    @Test
    void seriesKnowsItsSpread() {
        Series quiet = Fakes.series("a", 100, 110, 120);
        assertThat(quiet.median()).isEqualTo(110);
        assertThat(quiet.min()).isEqualTo(100);
        assertThat(quiet.max()).isEqualTo(120);
        assertThat(quiet.isNoisy()).isFalse();
        assertThat(Fakes.series("b", 100, 126).isNoisy()).isTrue();
        assertThat(Fakes.series("stalled once", 0, 1).isNoisy()).isTrue();
    }

    @Test
    void seriesWithoutSamplesNeedsAReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Series("a", true, List.of(), List.of(), null, false, null))
                .withMessageContaining("neither samples nor a reason");
    }
}
