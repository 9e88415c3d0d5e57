package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Sample;

/** Whatever ucx_perftest writes, it is figures or an {@link IOException}. */
class UcxPerftestOutputFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void ucx(byte[] output) {
        for (Measure measure : new Measure[] {Measure.ROUND_TRIP, Measure.MESSAGE_RATE, Measure.BANDWIDTH_1_RAIL}) {
            try {
                Sample sample = UcxPerftestOutput.parse(measure, new String(output, StandardCharsets.UTF_8));
                assertThat(sample.value()).isNotNaN().isNotNegative();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("ucx_perftest");
            }
        }
    }
}
