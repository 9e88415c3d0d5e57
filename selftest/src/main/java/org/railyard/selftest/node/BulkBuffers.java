package org.railyard.selftest.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the bulk data of requests: of one size, so that all of it can be used again. Who finds none waits for his
 * turn. Thread-safe.
 */
final class BulkBuffers {
    /** Bytes of each. */
    static final int BYTES = 1 << 20;

    /** Most of them. */
    static final int MAX_BUFFERS = 128;

    /** Most that wait for one; more are refused. */
    static final int MAX_WAITING = 1 << 16;

    @GuardedBy("this")
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    @GuardedBy("this")
    private final ArrayDeque<Consumer<MemorySegment>> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private int made;

    /**
     * Hands out memory, at once or when there is some again.
     *
     * @return false if too many wait already
     */
    boolean take(Consumer<MemorySegment> user) {
        MemorySegment buffer;
        synchronized (this) {
            buffer = free.poll();
            if (buffer == null && made < MAX_BUFFERS) {
                made++;
                buffer = Arena.ofAuto().allocate(BYTES, Long.BYTES);
            }
            if (buffer == null) {
                if (waiting.size() >= MAX_WAITING) {
                    return false;
                }
                waiting.add(user);
                return true;
            }
        }
        user.accept(buffer);
        return true;
    }

    /** Takes memory back that nothing touches any more. */
    void giveBack(MemorySegment buffer) {
        Consumer<MemorySegment> next = next(buffer);
        if (next != null) {
            next.accept(buffer);
        }
    }

    private synchronized @Nullable Consumer<MemorySegment> next(MemorySegment buffer) {
        Consumer<MemorySegment> next = waiting.poll();
        if (next == null) {
            free.push(buffer);
        }
        return next;
    }
}
