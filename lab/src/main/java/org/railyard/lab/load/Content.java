package org.railyard.lab.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.lab.payload.PayloadPattern;

/**
 * What is in payloads, and the memory of a run. Each call carries another stretch of one long pattern, given by its
 * number, so that a byte in the wrong place or of another call shows. Belongs to the thread of its run, which closes
 * it.
 */
public final class Content implements AutoCloseable {
    /** Largest piece of memory, bytes. */
    private static final int MAX_BYTES = 16 * Wire.MTU;

    private static final int BUCKETS = Integer.SIZE - Integer.numberOfLeadingZeros(MAX_BYTES) + 1;

    private final Arena arena = Arena.ofConfined();
    private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();
    private final MemorySegment sink = arena.allocate(Wire.MTU, Long.BYTES);

    /** Makes memory for a run. */
    public Content() {
        for (int i = 0; i < BUCKETS; i++) {
            free.add(new ArrayDeque<>());
        }
    }

    /** Returns where the stretch of the call with that number begins, bytes from the start of the pattern. */
    static int offset(long id) {
        return (int) (Long.BYTES * (id % PayloadPattern.STARTS));
    }

    private static int bucket(int bytes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(63, bytes - 1));
    }

    /** Returns memory of so many bytes, with anything in it; belongs to the caller until {@link #giveBack}. */
    MemorySegment take(int bytes) {
        int bucket = bucket(bytes);
        MemorySegment kept = free.get(bucket).pollLast();
        return kept == null ? arena.allocate(1L << bucket, Long.BYTES) : kept;
    }

    /** Takes memory back. */
    void giveBack(MemorySegment memory) {
        free.get(bucket((int) memory.byteSize())).addLast(memory);
    }

    /** Returns what the PUT with that number carries. Not to be written to. */
    MemorySegment stretch(long id, int bytes) {
        return PayloadPattern.memory().asSlice(offset(id), bytes);
    }

    /** Tells whether memory holds what the call with that number carries, or a reference to it. */
    public boolean isOf(MemorySegment memory, long id, int bytes) {
        return PayloadPattern.isIn(memory, offset(id), bytes);
    }

    /**
     * Returns where all PUTs of the run are received whose transport copies them: handled one at a time, they do not
     * meet.
     */
    MemorySegment sink() {
        return sink;
    }

    /** Returns what GETs fetch from, at {@link #offset}. Not to be written to. */
    MemorySegment source() {
        return PayloadPattern.memory();
    }

    @Override
    public void close() {
        arena.close();
    }
}
