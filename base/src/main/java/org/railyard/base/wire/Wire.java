package org.railyard.base.wire;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Constants of the wire (spec 01 §2) and the value layouts that every structure is declared with. */
public final class Wire {
    /** Largest payload of one message, bytes. */
    public static final int MTU = 1_048_576;

    /** Most fragments of one memory descriptor. */
    public static final int MAX_FRAGMENTS = 256;

    /** Number of portals. */
    public static final int PORTALS = 64;

    /** The portal of ping and push. */
    public static final int RESERVED_PORTAL = 0;

    /** Match bits of ping and push. */
    public static final long PING_MATCH_BITS = 0x8000000000000000L;

    /** Both cookies of the handle that means "none". */
    public static final long NO_COOKIE = -1L;

    /** Little-endian, unaligned. */
    public static final ValueLayout.OfShort LE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Little-endian, unaligned. */
    public static final ValueLayout.OfInt LE32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Little-endian, unaligned. */
    public static final ValueLayout.OfLong LE64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Big-endian, unaligned. */
    public static final ValueLayout.OfInt BE32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Big-endian, unaligned. */
    public static final ValueLayout.OfLong BE64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Wire() {}

    /**
     * Returns access to one field of a declared layout, as a handle with coordinates (segment, base offset). Meant for
     * constants.
     *
     * @param layout the structure
     * @param path the names that lead to the field
     */
    public static VarHandle field(StructLayout layout, String... path) {
        return layout.varHandle(elements(path));
    }

    /** Returns the offset of a field, bytes from the start of the layout. */
    public static long offsetOf(StructLayout layout, String... path) {
        return layout.byteOffset(elements(path));
    }

    private static MemoryLayout.PathElement[] elements(String... path) {
        return Arrays.stream(path).map(MemoryLayout.PathElement::groupElement).toArray(MemoryLayout.PathElement[]::new);
    }
}
