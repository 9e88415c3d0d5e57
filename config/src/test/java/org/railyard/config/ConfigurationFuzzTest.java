package org.railyard.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.railyard.base.yaml.DocumentException;
import org.railyard.lnet.api.LNetConfig;

/** Any text as a configuration: told what is wrong, all in single lines, or something that a node can be made from. */
class ConfigurationFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void configuration(byte[] bytes) {
        Configuration config;
        try {
            config = Configuration.read("file", new String(bytes, StandardCharsets.UTF_8));
        } catch (DocumentException e) {
            assertThat(e.problems()).isNotEmpty().hasSizeLessThanOrEqualTo(50);
            return;
        }
        assertThat(config.configure(LNetConfig.builder()).build().nis()).hasSameSizeAs(config.nis());
    }
}
