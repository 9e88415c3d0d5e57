package org.railyard.lab.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;

/**
 * Memory for payloads and messages that runs of this process use one after the other: where cards write into it, the
 * system gives megabytes for each node, which takes as long as all else that a short run does. Thread-safe.
 */
final class RunMemory {
    /** Largest piece, bytes. */
    static final int MAX_BYTES = 16 * Wire.MTU;

    /** Most memory that is kept for later runs, bytes; less where the JVM may have little. */
    static final long MAX_KEPT = 512L << 20;

    private static final int SHARE = 4;

    /** Smallest piece, bytes. */
    private static final int MIN_BYTES = 64;

    /** From this size on pieces are not filled with zeros before somebody touches them, bytes. */
    static final int MIN_SPARSE_BYTES = 1 << 16;

    private static final RunMemory SHARED =
            new RunMemory(Math.min(MAX_KEPT, Runtime.getRuntime().maxMemory() / SHARE));

    private final long limit;

    @GuardedBy("this")
    private final List<ArrayDeque<Piece>> kept = new ArrayList<>();

    @GuardedBy("this")
    private long keptBytes;

    /** So many bytes, a power of two, with anything in them. */
    record Piece(Arena arena, MemorySegment memory) {}

    RunMemory(long limit) {
        this.limit = limit;
        for (int i = 0; i <= bucket(MAX_BYTES); i++) {
            kept.add(new ArrayDeque<>());
        }
    }

    /** Returns that of the process. */
    static RunMemory shared() {
        return SHARED;
    }

    /** Returns by which power of two pieces are at least as long. */
    static int bucket(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(Math.max(MIN_BYTES, bytes) - 1);
    }

    /** Returns a piece of 2^bucket bytes, which may have been another run's. */
    Piece take(int bucket) {
        synchronized (this) {
            Piece known = kept.get(bucket).pollLast();
            if (known != null) {
                keptBytes -= known.memory().byteSize();
                return known;
            }
        }
        Arena arena = Arena.ofShared();
        long bytes = 1L << bucket;
        return new Piece(
                arena,
                bytes < MIN_SPARSE_BYTES ? arena.allocate(bytes, Long.BYTES) : SparseMemory.allocate(arena, bytes));
    }

    /** Takes pieces back, which nobody uses any more; what is too much goes back to the system. */
    void giveBack(List<Piece> pieces) {
        for (Piece piece : pieces) {
            if (!keep(piece)) {
                piece.arena().close();
            }
        }
    }

    private synchronized boolean keep(Piece piece) {
        long bytes = piece.memory().byteSize();
        if (keptBytes + bytes > limit) {
            return false;
        }
        keptBytes += bytes;
        kept.get(bucket(bytes)).addLast(piece);
        return true;
    }

    /** Returns how much is kept at present, bytes. */
    synchronized long keptBytes() {
        return keptBytes;
    }
}
