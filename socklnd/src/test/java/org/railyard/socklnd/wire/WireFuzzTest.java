package org.railyard.socklnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.railyard.lnet.wire.WireFormatException;

/** Arbitrary bytes are refused with {@link WireFormatException}, or mean the same when written and read again. */
class WireFuzzTest {
    @FuzzTest
    void hello(FuzzedDataProvider data) {
        MemorySegment bytes = MemorySegment.ofArray(data.consumeRemainingAsBytes());
        try {
            Hello hello = Hello.read(bytes, 0);
            MemorySegment out = MemorySegment.ofArray(new byte[hello.bytes()]);
            hello.write(out, 0);
            assertThat(Hello.read(out, 0)).isEqualTo(hello);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageMatching(".*(expected|limit).*");
        }
    }

    @FuzzTest
    void connectionRequest(FuzzedDataProvider data) {
        MemorySegment bytes = MemorySegment.ofArray(data.consumeRemainingAsBytes());
        try {
            ConnectionRequest request = ConnectionRequest.read(bytes, 0);
            MemorySegment out = MemorySegment.ofArray(new byte[request.bytes()]);
            request.write(out, 0);
            assertThat(ConnectionRequest.read(out, 0)).isEqualTo(request);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageMatching(".*(expected|limit).*");
        }
    }

    @FuzzTest
    void frameHeader(FuzzedDataProvider data) {
        ByteOrder order = data.consumeBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        ProtocolVersion version = data.pickValue(ProtocolVersion.values());
        byte[] raw = data.consumeRemainingAsBytes();
        FrameHeader frame = new FrameHeader();
        try {
            frame.read(MemorySegment.ofArray(raw), 0, order);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageContaining("expected");
            return;
        }
        byte[] out = new byte[FrameHeader.BYTES];
        frame.write(MemorySegment.ofArray(out), 0);
        assertThat(raw).startsWith(out);
        ZeroCopyAck ack = ZeroCopyAck.of(frame, version);
        assertThat(ZeroCopyAck.of(ack.cookie0(), ack.cookie1(), version)).isEqualTo(ack);
    }
}
