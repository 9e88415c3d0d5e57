package org.railyard.o2iblnd;

import java.lang.foreign.MemorySegment;
import org.railyard.verbs.ArenaRegion;

/**
 * Registered memory for one transfer.
 *
 * @param memory the bytes
 * @param region their keys
 */
record Chunk(MemorySegment memory, ArenaRegion region) {}
