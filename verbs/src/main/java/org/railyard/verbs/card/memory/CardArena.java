package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
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
    private final ViewedMemory viewed;
    private final long base;
    private final int access;

    CardArena(CardPd pd, MemorySegment memory, int access) {
        super(pd);
        this.memory = memory;
        this.viewed = new ViewedMemory(memory);
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
        return viewed.locate(address - base, length, into);
    }

    @Override
    public long stretch(long address, long most, Stretch into) {
        long offset = address - base;
        into.set(memory, offset);
        return Math.clamp(memory.byteSize() - offset, 0, most);
    }

    @Override
    public void close() {
        pd().forget(this);
    }
}
