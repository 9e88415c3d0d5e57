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
 * where in the pattern they are. A reference may be copied with all the bytes in whose place it is, as by cards that
 * copy piece by piece: what comes out of them in their order is the same. Static: the memory is never written to.
 */
public final class PayloadPattern {
    /** Places where a stretch can begin. */
    public static final int STARTS = 65_521;

    /** From this length on a reference stands for bytes: less is copied as fast. */
    public static final int MIN_REFERRED = 1024;

    /** Returned for what is no stretch of the pattern. */
    public static final long NONE = -1;

    /**
     * A reference is where in the pattern its bytes are, XOR this, and how many it stands for with the same place once
     * more, XOR the next: both are small, so that no payload is one by chance.
     */
    private static final long OFFSET_MAGIC = 0x6c61_6227_7320_7061L;

    private static final long LENGTH_MAGIC = 0xd3b9_50e1_8c47_f62aL;

    /** A reference in memory stands for so many bytes: what is written over some of them later shows. */
    private static final int PIECE_BYTES = 4096;

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
            return inside(MemorySegment.ofBuffer(buffer).address() - buffer.position() + at, length);
        }
        if (length < MIN_REFERRED) {
            return NONE;
        }
        long offset = (long) LONGS.get(buffer, at) ^ OFFSET_MAGIC;
        long referred = (long) LONGS.get(buffer, at + Long.BYTES) ^ lengthMagic(offset);
        boolean isReference =
                referred >= length && referred <= Wire.MTU && offset >= 0 && offset + referred <= MEMORY.byteSize();
        return isReference ? offset : NONE;
    }

    private static long lengthMagic(long offset) {
        return LENGTH_MAGIC ^ offset << Integer.SIZE;
    }

    /** Writes a reference in the place of the next bytes of a buffer, at least {@link #MIN_REFERRED}. */
    public static void refer(long offset, ByteBuffer to, int length) {
        int at = to.position();
        LONGS.set(to, at, offset ^ OFFSET_MAGIC);
        LONGS.set(to, at + Long.BYTES, length ^ lengthMagic(offset));
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

    /**
     * Finds out which stretch of the pattern some memory is, because it is a part of it.
     *
     * @param at where in the memory, bytes
     * @param length bytes
     * @return where the stretch begins in the pattern, bytes; {@link #NONE} if it is elsewhere
     */
    public static long find(MemorySegment memory, long at, long length) {
        return memory.isNative() ? inside(memory.address() + at, length) : NONE;
    }

    private static long inside(long address, long length) {
        long inside = address - MEMORY.address();
        return inside >= 0 && inside + length <= MEMORY.byteSize() ? inside : NONE;
    }

    /** Writes references in the place of bytes, at least {@link #MIN_REFERRED}: one for each piece of them. */
    public static void refer(long offset, MemorySegment to, long at, long length) {
        ByteBuffer bytes = view(to.asSlice(at, length));
        int end = Math.toIntExact(length);
        for (int place = 0; place < end; ) {
            int piece = end - place < PIECE_BYTES + MIN_REFERRED ? end - place : PIECE_BYTES;
            bytes.putLong(place, offset + place ^ OFFSET_MAGIC);
            bytes.putLong(place + Long.BYTES, piece ^ lengthMagic(offset + place));
            place += piece;
        }
    }

    /** Returns a buffer of memory, which is faster for many fields: each access to memory is checked at length. */
    private static ByteBuffer view(MemorySegment memory) {
        return memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Tells whether memory holds a stretch of the pattern, where references may stand for parts of it. */
    public static boolean isIn(MemorySegment memory, long offset, int length) {
        ByteBuffer bytes = view(memory);
        int at = 0;
        while (at < length) {
            int referred = referred(bytes, at, length, offset);
            if (referred == 0) {
                long same = MemorySegment.mismatch(MEMORY, offset + at, offset + length, memory, at, length);
                if (same < 0) {
                    return true;
                }
                at = reference(bytes, at + (int) same, at, length, offset);
                if (at < 0) {
                    return false;
                }
            } else {
                at += referred;
            }
        }
        return true;
    }

    /** Returns where a reference begins whose first bytes may be those of the pattern, but not this one; or −1. */
    private static int reference(ByteBuffer bytes, int other, int from, int end, long offset) {
        for (int at = other; at >= from && other - at < 2 * Long.BYTES; at--) {
            if (referred(bytes, at, end, offset) > 0) {
                return at;
            }
        }
        return -1;
    }

    /** Returns how many bytes the reference at a place stands for; 0 if there is none to what should be there. */
    private static int referred(ByteBuffer bytes, int at, int end, long offset) {
        if (end - at < MIN_REFERRED || bytes.getLong(at) != (offset + at ^ OFFSET_MAGIC)) {
            return 0;
        }
        long referred = bytes.getLong(at + Long.BYTES) ^ lengthMagic(offset + at);
        return referred >= MIN_REFERRED && referred <= Wire.MTU ? (int) Math.min(referred, end - at) : 0;
    }
}
