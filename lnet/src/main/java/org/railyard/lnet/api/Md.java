package org.railyard.lnet.api;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;

/** A memory descriptor (MD) of a node: made by {@code LNet.bind} or {@code LNet.attach}. Thread-safe. */
public interface Md {
    /** Returns its memory. */
    List<MemorySegment> memory();

    /** Returns its total length, bytes. */
    int length();

    /** Returns what its owner attached to it. */
    @Nullable
    Object userPtr();

    /** Tells whether its last event has been raised or is about to be. */
    boolean isUnlinked();

    /**
     * Unlinks it (spec 10 §4.3). Idle: an UNLINK event is delivered before this returns, unless called from a handler,
     * then after that. Busy: no new operation can use it, and the event of the last message carries {@code unlinked}.
     *
     * @throws ErrnoException ENOENT if it is unlinked already
     */
    void unlink();
}
