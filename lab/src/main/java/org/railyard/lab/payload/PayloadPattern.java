package org.railyard.lab.payload;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.railyard.base.wire.Wire;

/**
 * One long pattern, of which all payloads of applications are stretches, and references to stretches. A simulated
 * network need not copy a megabyte to say what arrived: it writes a reference in the place of the bytes, which tells
 * where in the pattern they are. Whoever copies the memory of a reference piece by piece, as cards do, must not be
 * given one. Static: the memory is never written to.
 */
public final class PayloadPattern {
    /** Places where a stretch can begin. */
    public static final int STARTS = 65_521;

    /** From this length on a reference stands for bytes: less is copied as fast. */
    public static final int MIN_REFERRED = 1024;

    /** Returned for what is no stretch of the pattern. */
    public static final long NONE = -1;

    /** What references begin with; no payload has it by chance. */
    private static final long MAGIC = 0x6c61_6227_7320_7061L;

    private static final long MORE_MAGIC = 0xd3b9_50e1_8c47_f62aL;
    private static final int OFFSET_AT = 2 * Long.BYTES;
    private static final int LENGTH_AT = 3 * Long.BYTES;

    /** The order of bytes does not depend on that of the buffer. */
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final MemorySegment MEMORY = make();
    private static final ByteBuffer BYTES = MEMORY.asByteBuffer();

    private PayloadPattern() {}

    private static MemorySegment make() {
        MemorySegment made = Arena.global().allocate(Wire.MTU + (long) Long.BYTES * STARTS, Long.BYTES);
        long value = 0x2545f4914f6cdd1dL;
        for (long at = 0; at < made.byteSize(); at += Long.BYTES) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
            made.set(ValueLayout.JAVA_LONG, at, value);
        }
        return made.asReadOnly();
    }

    /** Returns the pattern, which can not be written to. */
    public static MemorySegment memory() {
        return MEMORY;
    }

    /**
     * Finds out which stretch of the pattern is in a buffer: because the buffer is a part of the pattern, or because a
     * reference is there.
     *
     * @param at where in the buffer, absolute
     * @param length bytes
     * @return where the stretch begins in the pattern, bytes; {@link #NONE} if the bytes are to be taken as they are
     */
    public static long find(ByteBuffer buffer, int at, int length) {
        if (buffer.isDirect() && buffer.isReadOnly()) {
            long inside = MemorySegment.ofBuffer(buffer).address() - buffer.position() + at - MEMORY.address();
            return inside >= 0 && inside + length <= MEMORY.byteSize() ? inside : NONE;
        }
        boolean isReference = length >= MIN_REFERRED
                && (long) LONGS.get(buffer, at) == MAGIC
                && (long) LONGS.get(buffer, at + Long.BYTES) == MORE_MAGIC
                && (long) LONGS.get(buffer, at + LENGTH_AT) >= length;
        return isReference ? (long) LONGS.get(buffer, at + OFFSET_AT) : NONE;
    }

    /** Writes a reference in the place of the next bytes of a buffer, at least {@link #MIN_REFERRED}. */
    public static void refer(long offset, ByteBuffer to, int length) {
        int at = to.position();
        LONGS.set(to, at, MAGIC);
        LONGS.set(to, at + Long.BYTES, MORE_MAGIC);
        LONGS.set(to, at + OFFSET_AT, offset);
        LONGS.set(to, at + LENGTH_AT, length);
        to.position(at + length);
    }

    /** Copies a stretch into the next bytes of a buffer. */
    public static void copy(long offset, ByteBuffer to, int length) {
        to.put(to.position(), BYTES, (int) offset, length);
        to.position(to.position() + length);
    }

    /** Tells whether bytes of a buffer, as they are, are a stretch of the pattern. */
    public static boolean isAt(long offset, ByteBuffer buffer, int at, int length) {
        return offset >= 0
                && offset + length <= MEMORY.byteSize()
                && BYTES.slice((int) offset, length).equals(buffer.slice(at, length));
    }

    /** Tells whether memory holds a stretch of the pattern, or a reference to it. */
    public static boolean isIn(MemorySegment memory, long offset, int length) {
        if (length >= MIN_REFERRED && find(memory.asSlice(0, length).asByteBuffer(), 0, length) == offset) {
            return true;
        }
        return MemorySegment.mismatch(MEMORY, offset, offset + length, memory, 0, length) < 0;
    }
}
