package org.railyard.verbs;

import java.lang.foreign.MemorySegment;

/** Gives DMA addresses to memory. Calls from several threads must be kept apart by the caller. */
public interface DmaSpace {
    /** Returns the size of a page, bytes. */
    int pageBytes();

    /**
     * Maps memory and appends its pieces: one for each run of pages that are neighbours.
     *
     * @param memory off-heap
     * @return how many pieces were appended; 0 if the list has no room for them, then nothing is mapped
     * @throws VerbsException EINVAL if the memory is on the heap or empty
     */
    int map(MemorySegment memory, DmaList into);

    /** Ends the mapping of all pieces of a list; does not change the list. */
    void unmap(DmaList pieces);

    /** Returns the key for work requests of this node that name DMA addresses. */
    int localKey();
}
