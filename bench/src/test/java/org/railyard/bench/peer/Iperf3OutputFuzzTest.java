package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.railyard.bench.compare.Sample;

/** Whatever iperf3 writes, it is figures or an {@link IOException}. */
class Iperf3OutputFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void iperf3(byte[] output) {
        try {
            Sample sample = Iperf3Output.parse(new String(output, StandardCharsets.UTF_8));
            assertThat(sample.value()).isFinite().isNotNegative();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("iperf3");
        }
    }
}
