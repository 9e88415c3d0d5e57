package org.railyard.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory outside the heap, which the collector frees. Its sum is limited: what has none left must only hurt its user.
 */
public final class NativeMemory {
    private NativeMemory() {}

    /**
     * Returns memory, filled with zeros, that lives as long as something refers to it. Any thread.
     *
     * @param alignment of its address, bytes, a power of two
     * @throws VerbsException ENOMEM if there is not so much
     */
    public static MemorySegment allocate(long bytes, long alignment) {
        try {
            return Arena.ofAuto().allocate(bytes, alignment);
        } catch (OutOfMemoryError e) {
            throw new VerbsException(
                    VerbsException.Code.ENOMEM,
                    "no room for " + bytes + " bytes outside the heap (" + e.getMessage()
                            + "); raise -XX:MaxDirectMemorySize");
        }
    }
}
