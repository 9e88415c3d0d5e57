package org.railyard.selftest.rpc;

import java.lang.foreign.MemorySegment;

/**
 * The bulk memory of a call.
 *
 * @param memory off-heap, as long as the data
 * @param receives whether the called node writes to it; otherwise it reads
 */
public record BulkMemory(MemorySegment memory, boolean receives) {}
