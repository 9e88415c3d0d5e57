package org.railyard.roce.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Private data in messages of the connection manager. */
final class CmPrivate {
    private CmPrivate() {}

    /** Returns a copy, read-only. */
    static MemorySegment copy(MemorySegment from, long at, long bytes) {
        return MemorySegment.ofArray(from.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE))
                .asReadOnly();
    }

    static void put(MemorySegment data, MemorySegment to, long at, long limit) {
        if (data.byteSize() > limit) {
            throw new IllegalArgumentException(data.byteSize() + " bytes of private data, at most " + limit + " fit");
        }
        MemorySegment.copy(data, 0, to, at, data.byteSize());
    }
}
