package org.railyard.selftest.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongFunction;
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

    private final LongFunction<MemorySegment> memory;
    private final Consumer<String> log;

    @GuardedBy("this")
    private int made;

    /** No more are asked for once there was no memory for another one: the JVM takes half a second to say so. */
    @GuardedBy("this")
    private int most = MAX_BUFFERS;

    /**
     * Makes the first one.
     *
     * @param memory returns memory of so many bytes, or throws OutOfMemoryError
     * @param log takes a line when there is no memory for another one
     * @throws OutOfMemoryError if there is not even memory for that
     */
    BulkBuffers(LongFunction<MemorySegment> memory, Consumer<String> log) {
        this.memory = memory;
        this.log = log;
        this.free.add(memory.apply(BYTES));
        this.made = 1;
    }

    /**
     * Hands out memory, at once or when there is some again.
     *
     * @return false if too many wait already
     */
    boolean take(Consumer<MemorySegment> user) {
        MemorySegment buffer;
        boolean waits = false;
        OutOfMemoryError shortage = null;
        synchronized (this) {
            buffer = free.poll();
            if (buffer == null && made < most) {
                try {
                    buffer = memory.apply(BYTES);
                    made++;
                } catch (OutOfMemoryError e) {
                    most = made;
                    shortage = e;
                }
            }
            if (buffer == null && waiting.size() < MAX_WAITING) {
                waits = waiting.add(user);
            }
        }
        if (shortage != null) {
            tell(shortage);
        }
        if (buffer != null) {
            user.accept(buffer);
        }
        return buffer != null || waits;
    }

    private void tell(OutOfMemoryError shortage) {
        log.accept("bulk data of fewer than " + MAX_BUFFERS + " requests at a time is served: no memory for more ("
                + shortage.getMessage() + "); raise -XX:MaxDirectMemorySize");
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
