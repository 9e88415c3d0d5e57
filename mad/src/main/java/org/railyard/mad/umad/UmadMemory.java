package org.railyard.mad.umad;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that libibumad is given for each MAD, as an address and as a buffer: both take less time than the segment, as
 * long as only the first compiler has seen their callers.
 *
 * @param address for the library; good as long as the arena is open
 * @param bytes the same memory
 */
record UmadMemory(long address, ByteBuffer bytes) {
    static UmadMemory of(Arena arena, int size, ByteOrder order) {
        MemorySegment memory = arena.allocate(size, Long.BYTES);
        return new UmadMemory(memory.address(), memory.asByteBuffer().order(order));
    }
}
