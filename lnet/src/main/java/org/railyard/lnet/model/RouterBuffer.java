package org.railyard.lnet.model;

import java.lang.foreign.Arena;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one message between its receipt and its sending. Made when it is used for the first time, then used again
 * and again.
 */
public final class RouterBuffer {
    /** Payloads begin at the start of a cache line. */
    private static final int ALIGNMENT = 64;

    /** For lists of unused buffers. */
    @Nullable
    RouterBuffer next;

    private final RouterPool pool;
    private @Nullable Views views;

    RouterBuffer(RouterPool pool) {
        this.pool = pool;
    }

    /** Returns the pool it belongs to. */
    public RouterPool pool() {
        return pool;
    }

    /**
     * Returns windows onto the memory. For the one that holds the buffer; needs no lock.
     *
     * @throws OutOfMemoryError if there is no memory at first use; later uses try again
     */
    Views views() {
        Views windows = views;
        if (windows == null) {
            windows = new Views(List.of(Arena.ofAuto().allocate(pool.bytes(), ALIGNMENT)));
            views = windows;
        }
        return windows;
    }
}
