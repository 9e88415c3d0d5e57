package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.railyard.bench.compare.Sample;

/** Whatever sockperf writes, it is figures or an {@link IOException}. */
class SockperfOutputFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void sockperf(byte[] output) {
        try {
            Sample sample = SockperfOutput.parse(new String(output, StandardCharsets.UTF_8));
            assertThat(sample.value()).isFinite().isNotNegative();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("sockperf");
        }
    }
}
