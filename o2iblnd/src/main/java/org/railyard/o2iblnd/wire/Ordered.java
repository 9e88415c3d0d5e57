package org.railyard.o2iblnd.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.railyard.base.wire.WireFormatException;

/** Access to fields that are declared little-endian, in structures whose sender may have written them big-endian. */
final class Ordered {
    /** Little-endian, unaligned. */
    static final ValueLayout.OfShort LE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Ordered() {}

    /** Returns an unsigned number of 16 bits. */
    static int getShort(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        short value = (short) field.get(from, at);
        return (order == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value)) & 0xFFFF;
    }

    static int getInt(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        return inOrder((int) field.get(from, at), order);
    }

    static long getLong(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        return inOrder((long) field.get(from, at), order);
    }

    static void setShort(VarHandle field, MemorySegment to, long at, ByteOrder order, int value) {
        short bits = (short) value;
        field.set(to, at, order == ByteOrder.LITTLE_ENDIAN ? bits : Short.reverseBytes(bits));
    }

    static void setInt(VarHandle field, MemorySegment to, long at, ByteOrder order, int value) {
        field.set(to, at, inOrder(value, order));
    }

    static void setLong(VarHandle field, MemorySegment to, long at, ByteOrder order, long value) {
        field.set(to, at, inOrder(value, order));
    }

    private static int inOrder(int value, ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private static long inOrder(long value, ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    /** Checks that a structure lies inside the memory it is to be read from. */
    static void requireBytes(String what, long available, long bytes) throws WireFormatException {
        if (available < bytes) {
            throw new WireFormatException(
                    what + " is cut short: " + Math.max(0, available) + " bytes found, " + bytes + " expected");
        }
    }
}
