package org.railyard.verbs;

import java.lang.foreign.MemorySegment;

/** Where memory for messages comes from that a card is to be given. */
@FunctionalInterface
public interface MemorySource {
    /**
     * Returns memory, with anything in it. Nobody else gets it while who asked may use it.
     *
     * @param bytes how much, from 1
     * @param alignment of its address, bytes, a power of two
     * @throws VerbsException ENOMEM if there is not so much
     */
    MemorySegment allocate(long bytes, long alignment);
}
