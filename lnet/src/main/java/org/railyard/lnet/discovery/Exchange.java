package org.railyard.lnet.discovery;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.BondTalk;
import org.railyard.lnet.model.MemoryDescriptor;

/**
 * One ping or push of discovery. It is {@link org.railyard.lnet.model.Peer#exchange} as long as anybody cares what
 * becomes of it.
 */
final class Exchange {
    /** Whether somebody waits for the outcome; if not, it is given up early, and tried again. */
    final boolean awaited;

    /** The bond of this node that it tells of, null if it tells of the whole node, or asks. */
    final @Nullable BondTalk talk;

    /** When it began, monotonic ns. */
    final long since;

    /** Whether it was a push and a newer one was sent without waiting for it. Guarded by the lock. */
    boolean overtaken;

    /** What it is sent from, once there is something to call off. Guarded by the lock. */
    @Nullable
    MemoryDescriptor md;

    /**
     * Makes one.
     *
     * @param talk the bond of this node that it tells of, null if it tells of the whole node, or asks
     */
    Exchange(boolean awaited, long since, @Nullable BondTalk talk) {
        this.awaited = awaited;
        this.since = since;
        this.talk = talk;
    }
}
