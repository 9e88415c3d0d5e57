package org.railyard.config.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.CptLists;

/** Any text as a module parameter: read, or refused with a reason. The first byte says which. */
class ParametersFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void parameter(byte[] bytes) {
        int which = bytes.length == 0 ? 0 : bytes[0] & 3;
        String text =
                new String(Arrays.copyOfRange(bytes, Math.min(1, bytes.length), bytes.length), StandardCharsets.UTF_8);
        try {
            switch (which) {
                case 0 -> NetSpecs.parse(text);
                case 1 -> Ip2Nets.parse(text);
                case 2 -> RouteSpecs.parse(text);
                default -> CptLists.parse(text);
            }
        } catch (ErrnoException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
