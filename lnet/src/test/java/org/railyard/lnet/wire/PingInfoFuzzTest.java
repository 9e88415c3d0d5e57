package org.railyard.lnet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a ping info: refused, or written again and read as the same. */
class PingInfoFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void pingInfo(byte[] bytes) throws WireFormatException {
        PingInfo info;
        try {
            info = PingInfo.read(MemorySegment.ofArray(bytes), 0, bytes.length, PingInfo.MAX_INTERFACES);
        } catch (WireFormatException e) {
            return;
        }
        assertThat(info.bytes()).isLessThanOrEqualTo(bytes.length);
        assertThat(info.toString()).hasSizeLessThan(1000);
        byte[] written = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(written), 0);
        PingInfo again = PingInfo.read(MemorySegment.ofArray(written), 0, written.length, PingInfo.MAX_INTERFACES);
        assertThat(again.entries()).isEqualTo(info.entries());
        assertThat(again.primary()).isEqualTo(info.primary());
    }
}
