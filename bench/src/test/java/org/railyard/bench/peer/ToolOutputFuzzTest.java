package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.railyard.bench.compare.Sample;

/** Whatever a tool writes, it is figures or an {@link IOException}. */
class ToolOutputFuzzTest {
    @FuzzTest
    void iperf3(FuzzedDataProvider data) {
        try {
            Sample sample = Iperf3Output.parse(data.consumeRemainingAsString());
            assertThat(sample.value()).isFinite().isNotNegative();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("iperf3");
        }
    }

    @FuzzTest
    void sockperf(FuzzedDataProvider data) {
        try {
            Sample sample = SockperfOutput.parse(data.consumeRemainingAsString());
            assertThat(sample.value()).isFinite().isNotNegative();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("sockperf");
        }
    }
}
