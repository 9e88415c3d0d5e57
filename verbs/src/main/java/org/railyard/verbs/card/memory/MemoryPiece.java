package org.railyard.verbs.card.memory;

import java.nio.ByteBuffer;

/**
 * Where bytes lie side by side in the memory of this process, so that a card can use them without copying. Used again
 * and again. Not thread-safe.
 */
public final class MemoryPiece {
    private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

    private ByteBuffer bytes = NONE;
    private int start;
    private int length;
    private long address;

    /** Makes one without bytes. */
    public MemoryPiece() {}

    /**
     * Makes it a part of some memory.
     *
     * @param view all of the memory
     * @param from where the part begins there
     * @param count its length, bytes
     * @param at address of the part
     */
    public void set(ByteBuffer view, int from, int count, long at) {
        bytes = view;
        start = from;
        length = count;
        address = at;
    }

    /** Returns memory that the bytes are part of, from {@link #start} on; its limits may be changed. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Returns where the bytes begin in {@link #bytes}. */
    public int start() {
        return start;
    }

    /** Returns how many bytes there are. */
    public int length() {
        return length;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return address;
    }
}
