package org.railyard.selftest.rpc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.railyard.selftest.wire.RpcMessage;

/**
 * Off-heap memory for a request and its reply, used again and again. There is never more than was in use at a time.
 * Thread-safe.
 */
final class Slots {
    private static final int BYTES = 2 * RpcMessage.BYTES;
    private static final int AT_ONCE = 64;

    private final ConcurrentLinkedQueue<MemorySegment> free = new ConcurrentLinkedQueue<>();

    /** Returns memory for two messages, with anything in it. */
    MemorySegment take() {
        MemorySegment slot = free.poll();
        return slot == null ? more() : slot;
    }

    private MemorySegment more() {
        MemorySegment slab = Arena.ofAuto().allocate((long) BYTES * AT_ONCE, Long.BYTES);
        for (int i = 1; i < AT_ONCE; i++) {
            free.add(slab.asSlice((long) BYTES * i, BYTES));
        }
        return slab.asSlice(0, BYTES);
    }

    /** Takes memory back that nothing touches any more. */
    void giveBack(MemorySegment slot) {
        free.add(slot);
    }
}
