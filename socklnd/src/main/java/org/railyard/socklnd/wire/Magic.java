package org.railyard.socklnd.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;

/** The magic words that open a TCP stream, and the byte order that they show (spec 01 §2). */
public final class Magic {
    /** Opens a connection request. */
    public static final int ACCEPTOR = 0xacce7100;

    /** Opens a HELLO of version 2 or later. */
    public static final int LNET = 0x45726963;

    /** Opens a HELLO of version 1; little-endian only. */
    public static final int TCP = 0xeebc0ded;

    /** Bytes of a magic. */
    public static final int BYTES = 4;

    private Magic() {}

    /** Returns the four bytes at an offset, read as little-endian. */
    public static int read(MemorySegment from, long at) {
        return from.get(Wire.LE32, at);
    }

    /**
     * Returns the order in which {@code found}, read as little-endian, spells {@code expected}, or null if it does not.
     */
    public static @Nullable ByteOrder orderOf(int found, int expected) {
        if (found == expected) {
            return ByteOrder.LITTLE_ENDIAN;
        }
        return Integer.reverseBytes(found) == expected ? ByteOrder.BIG_ENDIAN : null;
    }
}
