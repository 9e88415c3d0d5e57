package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.ArenaRegion;

/**
 * Off-heap memory that is registered for good: at its real address, or at a made-up one, so that runs do not depend on
 * where it really is.
 */
final class CardArena extends Region implements ArenaRegion {
    private static final long FIRST_ADDRESS = 0x7F00_0000_0000L;

    /** Larger than any memory of one piece, so that arenas do not touch. */
    private static final int SPACING_BITS = 40;

    private final MemorySegment memory;
    private final long base;
    private final int access;
    private @Nullable ByteBuffer view;

    CardArena(CardPd pd, MemorySegment memory, int access) {
        super(pd);
        this.memory = memory;
        this.base = pd.memory().model().realOffsets()
                ? memory.address()
                : FIRST_ADDRESS + ((long) place(key()) << SPACING_BITS);
        this.access = access;
    }

    @Override
    public long addressOf(long offset) {
        if (offset < 0 || offset > memory.byteSize()) {
            throw new IndexOutOfBoundsException("byte " + offset + " of " + memory.byteSize());
        }
        return base + offset;
    }

    @Override
    public boolean allows(long address, long length, int wanted) {
        long offset = address - base;
        return (access & wanted) == wanted && offset >= 0 && offset <= memory.byteSize() - length;
    }

    @Override
    public void read(long address, long length, MemorySegment to, long at) {
        MemorySegment.copy(memory, address - base, to, at, length);
    }

    @Override
    public void write(long address, long length, MemorySegment from, long at) {
        MemorySegment.copy(from, at, memory, address - base, length);
    }

    @Override
    public boolean locate(long address, int length, MemoryPiece into) {
        if (!MemoryPiece.fits(memory)) {
            return false;
        }
        if (view == null) {
            view = memory.asByteBuffer();
        }
        long offset = address - base;
        into.set(view, (int) offset, length, memory.address() + offset);
        return true;
    }

    @Override
    public void close() {
        pd().forget(this);
    }
}
