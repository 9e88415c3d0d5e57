package org.railyard.base.wire;

import static org.railyard.base.wire.Wire.LE16;
import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * Access to fields that are declared little-endian, in structures whose sender may have written them big-endian. By
 * place and not by handle: a handle that is no constant where a method is compiled is slow.
 */
public final class Ordered {
    private Ordered() {}

    /** Returns an unsigned number of 16 bits. */
    public static int getShort(MemorySegment from, long at, ByteOrder order) {
        short value = from.get(LE16, at);
        return (order == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value)) & 0xFFFF;
    }

    /** Returns a number of 32 bits. */
    public static int getInt(MemorySegment from, long at, ByteOrder order) {
        return inOrder(from.get(LE32, at), order);
    }

    /** Returns a number of 64 bits. */
    public static long getLong(MemorySegment from, long at, ByteOrder order) {
        return inOrder(from.get(LE64, at), order);
    }

    /** Writes the low 16 bits of a number. */
    public static void setShort(MemorySegment to, long at, ByteOrder order, int value) {
        short bits = (short) value;
        to.set(LE16, at, order == ByteOrder.LITTLE_ENDIAN ? bits : Short.reverseBytes(bits));
    }

    /** Writes a number of 32 bits. */
    public static void setInt(MemorySegment to, long at, ByteOrder order, int value) {
        to.set(LE32, at, inOrder(value, order));
    }

    /** Writes a number of 64 bits. */
    public static void setLong(MemorySegment to, long at, ByteOrder order, long value) {
        to.set(LE64, at, inOrder(value, order));
    }

    /** Turns a number that was read as little-endian into what its sender meant, or the other way round. */
    public static int inOrder(int value, ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    /** Turns a number that was read as little-endian into what its sender meant, or the other way round. */
    public static long inOrder(long value, ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    /**
     * Checks that a structure lies inside the memory it is to be read from.
     *
     * @param what the structure, for people
     * @param available bytes that there are
     * @param bytes length of the structure
     */
    public static void requireBytes(String what, long available, long bytes) throws WireFormatException {
        if (available < bytes) {
            throw new WireFormatException(
                    what + " is cut short: " + Math.max(0, available) + " bytes found, " + bytes + " expected");
        }
    }
}
