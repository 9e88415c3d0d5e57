package org.railyard.base.wire;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Access to fields that are declared little-endian, in structures whose sender may have written them big-endian. */
public final class Ordered {
    private Ordered() {}

    /** Returns an unsigned number of 16 bits. */
    public static int getShort(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        short value = (short) field.get(from, at);
        return (order == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value)) & 0xFFFF;
    }

    /** Returns a number of 32 bits. */
    public static int getInt(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        return inOrder((int) field.get(from, at), order);
    }

    /** Returns a number of 64 bits. */
    public static long getLong(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        return inOrder((long) field.get(from, at), order);
    }

    /** Writes the low 16 bits of a number. */
    public static void setShort(VarHandle field, MemorySegment to, long at, ByteOrder order, int value) {
        short bits = (short) value;
        field.set(to, at, order == ByteOrder.LITTLE_ENDIAN ? bits : Short.reverseBytes(bits));
    }

    /** Writes a number of 32 bits. */
    public static void setInt(VarHandle field, MemorySegment to, long at, ByteOrder order, int value) {
        field.set(to, at, inOrder(value, order));
    }

    /** Writes a number of 64 bits. */
    public static void setLong(VarHandle field, MemorySegment to, long at, ByteOrder order, long value) {
        field.set(to, at, inOrder(value, order));
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
