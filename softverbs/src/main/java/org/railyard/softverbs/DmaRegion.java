package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;

/** All memory that has DMA addresses. */
final class DmaRegion extends Region {
    private final int access;

    DmaRegion(SoftPd pd, int access) {
        super(pd);
        this.access = access;
    }

    @Override
    boolean allows(long address, long length, int wanted) {
        return (access & wanted) == wanted && pd().device().dma().covers(address, length);
    }

    @Override
    void read(long address, long length, MemorySegment to, long at) {
        pd().device().dma().copy(address, length, to, at, false);
    }

    @Override
    void write(long address, long length, MemorySegment from, long at) {
        pd().device().dma().copy(address, length, from, at, true);
    }
}
