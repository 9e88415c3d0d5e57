package org.railyard.socklnd.io;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Off-heap buffers that connections use one after the other. Without it those of closed connections would stay until
 * the garbage collector looks for them, which has no reason to as long as the heap is empty. Keeps a limited number of
 * bytes. Thread-safe.
 */
public final class BufferPool {
    /** Most bytes kept, about as much as twenty connections for small messages need. */
    public static final int MAX_BYTES = 4 << 20;

    private final Map<Integer, ArrayDeque<ByteBuffer>> free = new HashMap<>();
    private int bytes;

    /** Returns a buffer of exactly this size, empty, in no particular byte order; nobody else has it. */
    public synchronized ByteBuffer take(int size) {
        ArrayDeque<ByteBuffer> known = free.get(size);
        ByteBuffer buffer = known == null ? null : known.pollLast();
        if (buffer == null) {
            return ByteBuffer.allocateDirect(size);
        }
        bytes -= size;
        return buffer.clear();
    }

    /** Takes back a buffer that nobody uses any more, or leaves it to the garbage collector. */
    public synchronized void giveBack(ByteBuffer buffer) {
        int size = buffer.capacity();
        if (bytes + size <= MAX_BYTES) {
            bytes += size;
            free.computeIfAbsent(size, key -> new ArrayDeque<>()).addLast(buffer);
        }
    }
}
