package org.railyard.lnet.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.lnet.api.Latency;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.lnd.HealthStatus;

/** The parts that count, each by itself. */
class CountersTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @EnumSource(HealthStatus.class)
    void aFailureRaisesTheCounterOfItsName(HealthStatus status) {
        NodeCounters counters = new NodeCounters();
        counters.failed(status);
        Set<Statistic> raised = EnumSet.noneOf(Statistic.class);
        for (Statistic statistic : Statistic.values()) {
            if (counters.get(statistic) != 0) {
                raised.add(statistic);
            }
        }
        if (status == HealthStatus.OK) {
            assertThat(raised).isEmpty();
        } else {
            assertThat(raised).containsExactly(Statistic.valueOf(status.name() + "_COUNT"));
        }
    }

    @Test
    void whatIsNowIsNotCountedButAskedFor() {
        NodeCounters counters = new NodeCounters();
        counters.peak(Statistic.MSGS_MAX, 7);
        counters.peak(Statistic.MSGS_MAX, 3);
        counters.add(Statistic.SEND_LENGTH, 5);
        assertThat(counters.snapshot(3, 2).get(Statistic.MSGS_ALLOC)).isEqualTo(3);
        assertThat(counters.snapshot(3, 2).get(Statistic.RST_ALLOC)).isEqualTo(2);
        assertThat(counters.snapshot(3, 2).get(Statistic.MSGS_MAX)).isEqualTo(7);
        counters.reset();
        assertThat(counters.snapshot(0, 0).toMap().values()).containsOnly(0L);
    }

    @Test
    void aLatencyKnowsItsEnds() {
        LatencyCounter counter = new LatencyCounter();
        assertThat(counter.snapshot()).isEqualTo(Latency.NONE);
        assertThat(counter.snapshot().average()).isZero();
        counter.add(50);
        counter.add(10);
        counter.add(31);
        assertThat(counter.snapshot()).isEqualTo(new Latency(3, 10, 50, 91));
        assertThat(counter.snapshot().average()).isEqualTo(30);
        counter.add(-5);
        assertThat(counter.snapshot().min()).isZero();
        counter.reset();
        assertThat(counter.snapshot()).isEqualTo(Latency.NONE);
    }

    @Test
    void aLatencyTakesInAnother() {
        LatencyCounter all = new LatencyCounter();
        LatencyCounter some = new LatencyCounter();
        all.add(some);
        assertThat(all.snapshot()).as("nothing").isEqualTo(Latency.NONE);
        some.add(20);
        some.add(40);
        all.add(some);
        assertThat(all.snapshot()).isEqualTo(new Latency(2, 20, 40, 60));
        some.reset();
        some.add(10);
        all.add(some);
        assertThat(all.snapshot()).isEqualTo(new Latency(3, 10, 40, 70));
    }

    @Test
    void latenciesAdd() {
        Latency few = new Latency(2, 10, 20, 30);
        Latency more = new Latency(3, 5, 15, 33);
        assertThat(few.plus(more)).isEqualTo(new Latency(5, 5, 20, 63));
        assertThat(few.plus(Latency.NONE)).isEqualTo(few);
        assertThat(Latency.NONE.plus(few)).isEqualTo(few);
    }

    @Test
    void aCountHalvesInItsHalfLife() {
        DecayingCount count = new DecayingCount(60);
        long start = -5 * SECOND;
        count.add(8, start);
        count.add(8, start + SECOND / 2);
        assertThat(count.value(start)).isEqualTo(16);
        assertThat(count.value(start + 60 * SECOND)).isCloseTo(8, within(1e-9));
        count.add(8, start + 60 * SECOND);
        assertThat(count.value(start + 120 * SECOND)).isCloseTo(8, within(1e-9));
        assertThat(count.value(start)).as("time does not go back").isCloseTo(8, within(1e-9));
    }

    @Test
    void aSteadyRateIsFound() {
        DecayingCount count = new DecayingCount(5);
        for (int second = 0; second < 120; second++) {
            for (int i = 0; i < 40; i++) {
                count.add(3, second * SECOND + i);
            }
        }
        assertThat(count.perSecond(119 * SECOND)).isCloseTo(120, within(0.01));
        assertThat(count.perSecond(300 * SECOND)).isLessThan(1e-6);
    }
}
