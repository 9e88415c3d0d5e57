package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;

/** Each peer moves what its limit allows and ends; how fast is not asked. */
@Timeout(60)
class InProcessPeersTest {
    /** Longer than any of this takes: the byte limit ends the rounds. */
    private static final int SECONDS = RoundSettings.MAX_SECONDS;

    @ParameterizedTest
    @EnumSource
    void pingPongTimesEveryExchange(NioPingPong.Waiting waiting) throws Exception {
        Sample sample = new NioPingPong(waiting).run(new RoundSettings(SECONDS, 100L * Measure.MESSAGE_BYTES));
        assertThat(sample).asInstanceOf(type(Sample.Latency.class)).satisfies(latency -> {
            assertThat(latency.exchanges()).isEqualTo(100);
            assertThat(latency.p50()).isPositive().isLessThanOrEqualTo(latency.p99());
            assertThat(latency.p99()).isLessThanOrEqualTo(latency.p999());
        });
    }

    @Test
    void streamOverTwoConnectionsSharesTheBytes() throws Exception {
        long limit = 40L * Measure.BLOCK_BYTES;
        Sample sample = NioStream.twoRails().run(new RoundSettings(SECONDS, limit));
        assertThat(sample)
                .asInstanceOf(type(Sample.Bandwidth.class))
                .returns(limit, Sample.Bandwidth::bytes)
                .satisfies(bandwidth -> assertThat(bandwidth.nanos()).isPositive());
    }

    @Test
    void streamOfSmallWritesCountsMessages() throws Exception {
        Sample sample = NioStream.messages().run(new RoundSettings(SECONDS, 1000L * Measure.MESSAGE_BYTES));
        assertThat(sample).asInstanceOf(type(Sample.Rate.class)).returns(1000L, Sample.Rate::count);
    }

    /** Datagrams may be lost, but not all of them, and none is counted twice. */
    @Test
    void datagramsAreCounted() throws Exception {
        Sample sample = UdpStream.messages().run(new RoundSettings(SECONDS, 1000L * Measure.MESSAGE_BYTES));
        assertThat(sample)
                .asInstanceOf(type(Sample.Rate.class))
                .satisfies(rate -> assertThat(rate.count()).isBetween(1L, 1000L));
    }

    @Test
    void jeroMqCountsMessages() throws Exception {
        Sample sample = new JeroMqPushPull().run(new RoundSettings(SECONDS, 1000L * Measure.MESSAGE_BYTES));
        assertThat(sample).asInstanceOf(type(Sample.Rate.class)).returns(1000L, Sample.Rate::count);
    }
}
