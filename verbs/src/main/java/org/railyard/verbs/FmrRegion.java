package org.railyard.verbs;

/** A zero-based region: addresses begin with the offset of the first byte in its page (spec 20 §11). */
public interface FmrRegion extends MemoryKeys, AutoCloseable {
    /**
     * Maps memory, at once. Piece i, which must lie within its pages, has the address of its offset in the page plus
     * the pages of all pieces before it.
     *
     * @throws VerbsException EINVAL if there are too many pages, or the region is mapped
     */
    void map(DmaList pages);

    /** Ends the mapping, at once. */
    void unmap();

    /** Gives the region back. */
    @Override
    void close();
}
