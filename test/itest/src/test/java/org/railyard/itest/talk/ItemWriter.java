package org.railyard.itest.talk;

import java.lang.foreign.MemorySegment;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Turns items into bytes as kernel nodes do. */
public final class ItemWriter {
    private ItemWriter() {}

    /** Returns the bytes of an item; opening and end of a connection have none. */
    public static byte[] bytes(Item item) {
        return switch (item) {
            case Item.Request(var request) -> {
                byte[] bytes = new byte[request.bytes()];
                request.write(MemorySegment.ofArray(bytes), 0);
                yield bytes;
            }
            case Item.Greeting(var hello) -> {
                byte[] bytes = new byte[hello.bytes()];
                hello.write(MemorySegment.ofArray(bytes), 0);
                yield bytes;
            }
            case Item.Noop noop -> {
                byte[] bytes = new byte[FrameHeader.BYTES];
                FrameHeader.write(MemorySegment.ofArray(bytes), 0, FrameHeader.NOOP, noop.cookie0(), noop.cookie1());
                yield noop.checksummed() ? summed(noop.version(), bytes) : bytes;
            }
            case Item.Message message -> message(message);
            case Item.Open open -> new byte[0];
            case Item.End end -> new byte[0];
        };
    }

    private static byte[] message(Item.Message message) {
        ProtocolVersion version = message.version();
        byte[] bytes = new byte[version.messageHeadBytes() + message.payload().length];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int at = 0;
        if (version.hasFrameHeader()) {
            FrameHeader.write(memory, 0, FrameHeader.LNET, message.cookie0(), message.cookie1());
            at = FrameHeader.BYTES;
        }
        message.header().write(memory, at, version.largeNids());
        System.arraycopy(message.payload(), 0, bytes, version.messageHeadBytes(), message.payload().length);
        return message.checksummed() ? summed(version, bytes) : bytes;
    }

    private static byte[] summed(ProtocolVersion version, byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        FrameChecksum sum = new FrameChecksum();
        int from = version.checksumCoversFrame() ? FrameHeader.BYTES : version.messageHeadBytes();
        if (version.checksumCoversFrame()) {
            sum.addFrameHeader(memory, 0);
        }
        sum.add(memory, from, bytes.length - from);
        FrameHeader.writeChecksum(memory, 0, sum.value());
        return bytes;
    }
}
