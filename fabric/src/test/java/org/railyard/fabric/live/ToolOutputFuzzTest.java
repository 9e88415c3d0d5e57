package org.railyard.fabric.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.railyard.fabric.format.FormatException;

/** Whatever tools print, it is a subnet or it is said where it is wrong. */
final class ToolOutputFuzzTest {
    @FuzzTest
    void anyText(byte[] data) {
        try {
            LiveSubnet live = ToolOutput.parse(new String(data, StandardCharsets.ISO_8859_1));
            assertThat(live.fabric().nodeCount()).isPositive();
        } catch (FormatException e) {
            assertThat(e.line()).isPositive();
            assertThat(e.getMessage()).hasSizeLessThan(1000);
        }
    }
}
