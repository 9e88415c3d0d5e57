package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;

/**
 * Bytes that lie side by side in the memory of this process, however they look to a card. Used again and again. Not
 * thread-safe.
 */
public final class Stretch {
    private MemorySegment memory = MemorySegment.NULL;
    private long position;

    /** Makes one at no memory. */
    public Stretch() {}

    /** Makes it begin at a place in some memory, bytes from its start. */
    void set(MemorySegment all, long at) {
        memory = all;
        position = at;
    }

    /** Returns the memory that the bytes are part of. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns where they begin there, bytes. */
    public long position() {
        return position;
    }
}
