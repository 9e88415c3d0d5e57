package org.railyard.softverbs.net;

import java.lang.foreign.MemorySegment;
import org.railyard.verbs.card.memory.Stretch;

/**
 * How bytes come from the memory of one machine into that of another. Whoever simulates much, and knows what all
 * payloads are, need not copy them.
 */
@FunctionalInterface
public interface MemoryMover {
    /** Copies. */
    MemoryMover COPY =
            (from, to, bytes) -> MemorySegment.copy(from.memory(), from.position(), to.memory(), to.position(), bytes);

    /**
     * Brings bytes to their place.
     *
     * @param bytes how many, 1 or more
     * @throws IllegalStateException if memory is freed
     * @throws WrongThreadException if memory is of another thread
     */
    void move(Stretch from, Stretch to, long bytes);
}
