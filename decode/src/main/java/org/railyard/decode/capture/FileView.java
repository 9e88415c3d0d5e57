package org.railyard.decode.capture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Numbers in a capture of a given byte order. Callers check with {@link #has} that there is what they read.
 *
 * @param bytes the capture
 * @param order byte order of its numbers
 */
record FileView(CaptureBytes bytes, ByteOrder order) {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Tells whether the capture has bytes up to an offset; waits for those of a stream. */
    boolean has(long upTo) {
        return bytes.has(upTo);
    }

    /** Returns how many bytes there are; final once {@link #has} has said no. */
    long size() {
        return bytes.size();
    }

    MemorySegment slice(long at, long length) {
        return bytes.slice(at, length);
    }

    int u8(long at) {
        return bytes.holder().get(ValueLayout.JAVA_BYTE, bytes.place(at)) & 0xff;
    }

    int u16(long at) {
        short value = bytes.holder().get(SHORT, bytes.place(at));
        return (order == ByteOrder.BIG_ENDIAN ? value : Short.reverseBytes(value)) & 0xffff;
    }

    long u32(long at) {
        int value = bytes.holder().get(INT, bytes.place(at));
        return Integer.toUnsignedLong(order == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value));
    }
}
