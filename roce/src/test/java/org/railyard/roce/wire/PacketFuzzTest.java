package org.railyard.roce.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a packet, and as a message of the connection manager: refused with a reason, or read whole. */
class PacketFuzzTest {
    private static final UdpRoute ROUTE = new UdpRoute(0x0A63_000B, 4791, 0x0A63_000C, 4791);

    private final Frame frame = new Frame();

    @FuzzTest(maxDuration = "3s")
    void packet(byte[] bytes) {
        message(bytes);
        frame.clear();
        int length = Math.min(bytes.length, frame.datagram().remaining());
        frame.datagram().put(bytes, 0, length);
        // So that the search comes past the checksum: what it is said to be counts as right.
        if (frame.arrived(ROUTE) == Frame.Fault.CHECKSUM && length > Icrc.BYTES) {
            Icrc icrc = new Icrc();
            MemorySegment memory = frame.memory();
            int crc = icrc.of(memory, memory.asByteBuffer(), 0, length, ROUTE, 0);
            frame.datagram().putInt(length - Icrc.BYTES, Integer.reverseBytes(crc));
            if (frame.arrived(ROUTE) != Frame.Fault.NONE) {
                throw new AssertionError("the right checksum is refused");
            }
        }
        if (frame.arrived(ROUTE) == Frame.Fault.NONE) {
            int payload = frame.payloadLength();
            if (payload < 0
                    || payload > Frame.MAX_PAYLOAD
                    || frame.payloadOffset() + payload > frame.memory().byteSize()) {
                throw new AssertionError("payload of " + payload + " bytes at " + frame.payloadOffset());
            }
        }
    }

    private static void message(byte[] bytes) {
        byte[] mad = Arrays.copyOf(bytes, bytes.length > CmMessage.BYTES / 2 ? CmMessage.BYTES : bytes.length);
        try {
            CmMessage message = CmMessage.read(MemorySegment.ofArray(mad), 0, mad.length);
            byte[] first = new byte[CmMessage.BYTES];
            message.write(MemorySegment.ofArray(first), 0);
            byte[] second = new byte[CmMessage.BYTES];
            CmMessage.read(MemorySegment.ofArray(first), 0, first.length).write(MemorySegment.ofArray(second), 0);
            if (!Arrays.equals(first, second)) {
                throw new AssertionError("written twice, it is not the same");
            }
        } catch (WireFormatException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("refused without a reason", e);
            }
        }
    }
}
