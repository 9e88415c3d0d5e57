package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Whatever fi_pingpong writes, it is a time or an {@link IOException}. */
class FiPingpongFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void libfabric(byte[] output) {
        try {
            assertThat(FiPingpong.parse(1000, new String(output, StandardCharsets.UTF_8))
                            .p50())
                    .isFinite()
                    .isPositive();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("fi_pingpong");
        }
    }
}
