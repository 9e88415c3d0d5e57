package org.railyard.lnet.stack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * Memory outside the heap for what a node says of itself, and for what it is told: freed with its last reference. What
 * the JVM has to do to free memory so takes longer than all else of a ping, so small pieces share a block, which is
 * freed with the last of them. No part of a block is given away twice.
 */
public final class OwnMemory {
    /** Larger pieces have memory of their own, bytes: what is pinned by one small piece stays little. */
    static final long MAX_SHARED = 1024;

    /** Of a block, bytes. */
    static final long BLOCK = 16 << 10;

    private static final OwnMemory SHARED = new OwnMemory();

    @GuardedBy("this")
    private MemorySegment block = MemorySegment.NULL;

    @GuardedBy("this")
    private long used;

    private OwnMemory() {}

    /**
     * Returns memory that is filled with zeros. Any thread.
     *
     * @param bytes how much, bytes
     * @throws ErrnoException ENOMEM if there is none
     */
    public static MemorySegment allocate(long bytes) {
        return bytes > MAX_SHARED ? take(bytes) : SHARED.share(bytes);
    }

    private synchronized MemorySegment share(long bytes) {
        if (used + bytes > block.byteSize()) {
            block = take(BLOCK);
            used = 0;
        }
        MemorySegment piece = block.asSlice(used, bytes);
        used += (bytes + Long.BYTES - 1) & -Long.BYTES;
        return piece;
    }

    private static MemorySegment take(long bytes) {
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
