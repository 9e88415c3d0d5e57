package org.railyard.cli.decode.capture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Numbers in a file of a given byte order. Callers check offsets against {@link #size()}.
 *
 * @param bytes the file
 * @param order byte order of its numbers
 */
record FileView(MemorySegment bytes, ByteOrder order) {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    long size() {
        return bytes.byteSize();
    }

    int u8(long at) {
        return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    int u16(long at) {
        short value = bytes.get(SHORT, at);
        return (order == ByteOrder.BIG_ENDIAN ? value : Short.reverseBytes(value)) & 0xffff;
    }

    long u32(long at) {
        int value = bytes.get(INT, at);
        return Integer.toUnsignedLong(order == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value));
    }
}
