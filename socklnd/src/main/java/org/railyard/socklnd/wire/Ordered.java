package org.railyard.socklnd.wire;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;

/** Access to fields declared little-endian in structures whose sender may have written them big-endian. */
final class Ordered {
    private static final int NID4_UNUSED_SHIFT = 56;

    private Ordered() {}

    static int getInt(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        return inOrder((int) field.get(from, at), order);
    }

    static long getLong(VarHandle field, MemorySegment from, long at, ByteOrder order) {
        return inOrder((long) field.get(from, at), order);
    }

    static void set(VarHandle field, MemorySegment to, long at, ByteOrder order, int value) {
        field.set(to, at, inOrder(value, order));
    }

    static void set(VarHandle field, MemorySegment to, long at, ByteOrder order, long value) {
        field.set(to, at, inOrder(value, order));
    }

    static int inOrder(int value, ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    static long inOrder(long value, ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    /** Turns a nid4 into a NID; its first byte must be 0, because a NID has no place for it. */
    static Nid nid4(String field, long nid4) throws WireFormatException {
        if (nid4 >>> NID4_UNUSED_SHIFT != 0 && nid4 != -1L) {
            throw new WireFormatException(field + " is 0x" + Long.toHexString(nid4)
                    + ", expected 0 in its first byte, or all ones (any NID)");
        }
        return Nid.ofNid4(nid4);
    }

    /** Checks that a structure lies inside the memory it is to be read from. */
    static void requireBytes(String what, MemorySegment from, long at, long bytes) throws WireFormatException {
        if (from.byteSize() - at < bytes) {
            throw new WireFormatException(what + " is cut short: " + Math.max(0, from.byteSize() - at)
                    + " bytes found, " + bytes + " expected");
        }
    }
}
