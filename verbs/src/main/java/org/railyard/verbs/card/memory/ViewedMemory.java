package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory of this process, of which parts can be looked at. Not thread-safe. */
final class ViewedMemory {
    private final MemorySegment memory;

    /** Made when somebody looks first. */
    private @Nullable ByteBuffer view;

    ViewedMemory(MemorySegment memory) {
        this.memory = memory;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Finds a part of it; false if the memory is too large for a buffer, which counts with 31 bits. */
    boolean locate(long position, int length, MemoryPiece into) {
        if (memory.byteSize() > Integer.MAX_VALUE) {
            return false;
        }
        if (view == null) {
            view = memory.asByteBuffer();
        }
        into.set(view, (int) position, length, memory.address() + position);
        return true;
    }
}
