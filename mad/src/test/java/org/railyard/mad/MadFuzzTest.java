package org.railyard.mad;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.sa.SaAttributes;
import org.railyard.mad.smp.SmpAttributes;
import org.railyard.mad.text.MadText;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;

/** Whatever a MAD holds, it can be read by every declaration, and printed. */
final class MadFuzzTest {
    @FuzzTest
    void everyDeclaration(byte[] data) throws WireFormatException {
        Mad mad = Mad.over(Arrays.copyOf(data, Math.max(data.length, Mad.SIZE)));
        assertThat(MadText.line(mad)).doesNotContain("\n").hasSizeLessThan(300_000);
        assertThat(MadText.page(mad)).hasSizeLessThan(1_500_000);
        assertThat(mad.directedRoute().path().hops()).isBetween(0, 63);
        for (AttributeType<?> type : SmpAttributes.ALL) {
            assertThat(mad.data(type).toString()).startsWith(type.name());
        }
        for (AttributeType<?> type : SaAttributes.ALL) {
            assertThat(mad.data(type).toString()).startsWith(type.name());
        }
        assertThat(mad.records()).isLessThanOrEqualTo(mad.bytes().length / 8);
    }
}
