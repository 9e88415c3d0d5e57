package org.railyard.lnet.stack;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Memory outside the heap for what a node says of itself, and for what it is told: freed with its last reference. */
public final class OwnMemory {
    private OwnMemory() {}

    /**
     * Returns memory that is filled with zeros.
     *
     * @param bytes how much, bytes
     * @throws ErrnoException ENOMEM if there is none
     */
    public static MemorySegment allocate(long bytes) {
        try {
            return Arena.ofAuto().allocate(bytes, Long.BYTES);
        } catch (OutOfMemoryError e) {
            throw new ErrnoException(
                    Errno.ENOMEM,
                    "no memory outside the heap for " + bytes + " bytes (" + e.getMessage()
                            + "); raise -XX:MaxDirectMemorySize",
                    e);
        }
    }
}
