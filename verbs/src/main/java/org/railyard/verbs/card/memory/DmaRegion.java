package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;

/** All memory that has DMA addresses. */
final class DmaRegion extends Region {
    private final int access;

    DmaRegion(CardPd pd, int access) {
        super(pd);
        this.access = access;
    }

    @Override
    public boolean allows(long address, long length, int wanted) {
        return (access & wanted) == wanted && pd().memory().dma().covers(address, length);
    }

    @Override
    public void read(long address, long length, MemorySegment to, long at) {
        pd().memory().dma().copy(address, length, to, at, false);
    }

    @Override
    public void write(long address, long length, MemorySegment from, long at) {
        pd().memory().dma().copy(address, length, from, at, true);
    }

    @Override
    public boolean locate(long address, int length, MemoryPiece into) {
        return pd().memory().dma().locate(address, length, into);
    }

    @Override
    public long stretch(long address, long most, Stretch into) {
        return pd().memory().dma().stretch(address, most, into);
    }
}
