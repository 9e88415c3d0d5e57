package org.railyard.socklnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a frame header in either byte order; what it acknowledges survives being written, in every version. */
class FrameHeaderFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void frameHeader(byte[] bytes) {
        check(bytes, ByteOrder.LITTLE_ENDIAN);
        check(bytes, ByteOrder.BIG_ENDIAN);
    }

    private static void check(byte[] bytes, ByteOrder order) {
        FrameHeader frame = new FrameHeader();
        try {
            frame.read(MemorySegment.ofArray(bytes), 0, order);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageContaining("expected");
            return;
        }
        byte[] out = new byte[FrameHeader.BYTES];
        frame.write(MemorySegment.ofArray(out), 0);
        assertThat(bytes).startsWith(out);
        for (ProtocolVersion version : ProtocolVersion.values()) {
            ZeroCopyAck ack = ZeroCopyAck.of(frame, version);
            assertThat(ZeroCopyAck.of(ack.cookie0(), ack.cookie1(), version)).isEqualTo(ack);
            assertThat(ack.covers(ack.first())).isEqualTo(ack.count() != 0);
        }
    }
}
