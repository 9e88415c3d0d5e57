package org.railyard.lnet.discovery;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.MemoryDescriptor;

/** One ping or push of discovery. It is {@link org.railyard.lnet.model.Peer#exchange} as long as anybody cares what becomes of it. */
final class Exchange {
    /** Whether somebody waits for the outcome; if not, it is given up early, and tried again. */
    final boolean awaited;

    /** When it began, monotonic ns. */
    final long since;

    /** Whether it was a push and a newer one was sent without waiting for it. Guarded by the lock. */
    boolean overtaken;

    /** What it is sent from, once there is something to call off. Guarded by the lock. */
    @Nullable
    MemoryDescriptor md;

    Exchange(boolean awaited, long since) {
        this.awaited = awaited;
        this.since = since;
    }
}
