package org.railyard.ibverbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Memory by its absolute address, without an object for each access. Whoever calls this has checked the length before:
 * a wrong address ends the process (spec 24 §2).
 */
@SuppressWarnings("restricted") // Structures of C libraries are read where they are.
public final class VerbsMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private VerbsMemory() {}

    /**
     * Makes room for a structure that C writes, or for some of them, filled with zeros, and
     * {@link VerbsLayout#SPARE} bytes behind it (spec 24 ibv-011).
     */
    public static MemorySegment structure(Arena arena, long bytes) {
        return arena.allocate(bytes + VerbsLayout.SPARE, Long.BYTES);
    }

    /** Reads eight bytes. */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /** Reads four bytes. */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /** Reads two bytes, unsigned. */
    public static int getShort(long address) {
        return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address) & 0xFFFF;
    }

    /** Reads a byte, unsigned. */
    public static int getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address) & 0xFF;
    }

    /** Reads two bytes in the order of the network, unsigned. */
    public static int getNetShort(long address) {
        return Short.reverseBytes((short) getShort(address)) & 0xFFFF;
    }

    /** Reads four bytes in the order of the network. */
    public static int getNetInt(long address) {
        return Integer.reverseBytes(getInt(address));
    }

    /** Reads a text that ends with a zero, or after so many bytes. */
    public static String getText(long address, int most) {
        byte[] bytes = getBytes(address, most);
        int length = 0;
        while (length < most && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Reads bytes. */
    public static byte[] getBytes(long address, int count) {
        byte[] bytes = new byte[count];
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, bytes, 0, count);
        return bytes;
    }

    /** Writes eight bytes. */
    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /** Writes four bytes. */
    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /** Writes four bytes and four more behind them, with one check of the address. */
    public static void putInts(long address, int value, int next) {
        // Processors of all platforms have the lower half first.
        putLong(address, (long) next << Integer.SIZE | Integer.toUnsignedLong(value));
    }

    /** Writes two bytes. */
    public static void putShort(long address, int value) {
        ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, (short) value);
    }

    /** Writes a byte. */
    public static void putByte(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
    }

    /** Writes two bytes in the order of the network. */
    public static void putNetShort(long address, int value) {
        putShort(address, Short.reverseBytes((short) value));
    }

    /** Writes four bytes in the order of the network. */
    public static void putNetInt(long address, int value) {
        putInt(address, Integer.reverseBytes(value));
    }

    /** Writes bytes. */
    public static void putBytes(long address, byte[] bytes) {
        MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, bytes.length);
    }

    /** Copies bytes. */
    public static void copy(long from, long to, long count) {
        MemorySegment.copy(ALL, from, ALL, to, count);
    }
}
