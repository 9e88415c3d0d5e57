package org.railyard.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Findings;

/** Any text as a scenario: read, or refused with reasons. */
class ScenarioFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void scenario(byte[] bytes) {
        try {
            ScenarioReader.read("it", new String(bytes, StandardCharsets.UTF_8));
        } catch (DocumentException e) {
            assertThat(e.problems()).isNotEmpty().hasSizeLessThanOrEqualTo(Findings.MAX_TOLD);
        }
    }
}
