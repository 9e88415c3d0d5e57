package org.railyard.verbs;

/** Off-heap memory that is registered for good. */
public interface ArenaRegion extends MemoryKeys, AutoCloseable {
    /**
     * Returns the address of a byte as work requests and peers need it.
     *
     * @param offset from the start of the memory, bytes
     */
    long addressOf(long offset);

    /** Takes the registration back; the keys mean nothing any more. */
    @Override
    void close();
}
