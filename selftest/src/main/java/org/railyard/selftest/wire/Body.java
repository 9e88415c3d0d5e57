package org.railyard.selftest.wire;

import java.lang.foreign.MemorySegment;

/** What a message carries behind its header. */
public sealed interface Body permits Request, Reply {
    /** Writes it. The bytes there are zero beforehand. */
    void write(MemorySegment to, long at);
}
