package org.railyard.lnet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Arbitrary bytes are refused, or written again and read as the same. */
class WireFuzzTest {
    @FuzzTest
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

    @FuzzTest
    void lnetHeader(byte[] bytes) throws WireFormatException {
        if (bytes.length == 0) {
            return;
        }
        boolean large = (bytes[0] & 1) != 0;
        byte[] input = Arrays.copyOfRange(bytes, 1, 1 + LNetHeader.bytes(large));
        LNetHeader header = new LNetHeader();
        try {
            header.read(MemorySegment.ofArray(input), 0, large);
        } catch (WireFormatException e) {
            return;
        }
        byte[] once = written(header, large);
        LNetHeader again = new LNetHeader();
        again.read(MemorySegment.ofArray(once), 0, large);
        assertThat(written(again, large)).isEqualTo(once);
    }

    private static byte[] written(LNetHeader header, boolean large) {
        byte[] bytes = new byte[LNetHeader.bytes(large)];
        header.write(MemorySegment.ofArray(bytes), 0, large);
        return bytes;
    }
}
