package org.railyard.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A protection domain: queue pairs and memory that may be used together. Belongs to no loop: calls from several threads
 * must be kept apart by the caller.
 */
public interface Pd extends AutoCloseable {
    /** Returns its device. */
    VerbsDevice device();

    /**
     * Registers memory for as long as it is needed; its addresses are those of {@link ArenaRegion#addressOf}.
     *
     * @param memory off-heap
     * @param access bits of {@link Access}
     * @throws VerbsException EINVAL if the memory is on the heap or empty, ENOMEM if it can not be registered
     */
    ArenaRegion registerArena(MemorySegment memory, int access);

    /**
     * Returns off-heap memory to be registered, with anything in it. It lives as long as the domain and what is made on
     * it are used.
     *
     * @param bytes how much, from 1
     * @param alignment of its address, bytes, a power of two
     * @throws VerbsException ENOMEM if there is not so much
     */
    default MemorySegment allocate(long bytes, long alignment) {
        return NativeMemory.allocate(bytes, alignment);
    }

    /**
     * Makes a region that is registered by a work request, for pages that come later.
     *
     * @param maxPages most pages, 1 … {@link DeviceAttributes#maxPageList}; with gaps, most pieces
     * @param gaps whether pieces may begin and end inside pages
     * @throws VerbsException EOPNOTSUPP if the device does not offer it, EINVAL if it can not be that long, ENOMEM if
     *     there are too many
     */
    FastRegion allocateFastRegion(int maxPages, boolean gaps);

    /**
     * Makes a zero-based region that is mapped at once, for pages that come later.
     *
     * @param maxPages most pages
     * @throws VerbsException EOPNOTSUPP if the device does not offer it, EINVAL if it can not be that long, ENOMEM if
     *     there are too many
     */
    FmrRegion allocateFmr(int maxPages);

    /** Returns the region over all memory, whose addresses are DMA addresses; null if the device has none. */
    @Nullable
    MemoryKeys globalRegion();

    /** Returns the way to DMA addresses; null if there are none, because this provider only knows registered arenas. */
    @Nullable
    DmaSpace dma();

    /** Gives it back, with all regions. Nothing on it may be in use. */
    @Override
    void close();
}
