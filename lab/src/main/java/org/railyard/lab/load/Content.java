package org.railyard.lab.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;

/**
 * What is in payloads, and the memory of a run. Each call carries another stretch of one long pattern, given by its
 * number, so that a byte in the wrong place or of another call shows. Belongs to the thread of its run, which closes
 * it.
 */
public final class Content implements AutoCloseable {
    /** Largest piece of memory, bytes. */
    private static final int MAX_BYTES = 16 * Wire.MTU;

    private static final int STRETCHES = 65_521;

    private static final int BUCKETS = Integer.SIZE - Integer.numberOfLeadingZeros(MAX_BYTES) + 1;
    private static final MemorySegment PATTERN = pattern();

    private final Arena arena = Arena.ofConfined();
    private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();
    private final MemorySegment sink = arena.allocate(Wire.MTU, Long.BYTES);

    /** Makes memory for a run. */
    public Content() {
        for (int i = 0; i < BUCKETS; i++) {
            free.add(new ArrayDeque<>());
        }
    }

    private static MemorySegment pattern() {
        MemorySegment made = Arena.global().allocate(Wire.MTU + 8L * STRETCHES, Long.BYTES);
        long value = 0x2545f4914f6cdd1dL;
        for (long at = 0; at < made.byteSize(); at += Long.BYTES) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
            made.set(ValueLayout.JAVA_LONG, at, value);
        }
        return made.asReadOnly();
    }

    /** Returns where the stretch of the call with that number begins, bytes from the start of the pattern. */
    static int offset(long id) {
        return (int) (Long.BYTES * (id % STRETCHES));
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
        return PATTERN.asSlice(offset(id), bytes);
    }

    /** Tells whether memory holds what the call with that number carries. */
    public boolean isOf(MemorySegment memory, long id, int bytes) {
        return MemorySegment.mismatch(PATTERN, offset(id), offset(id) + (long) bytes, memory, 0, bytes) < 0;
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
        return PATTERN;
    }

    @Override
    public void close() {
        arena.close();
    }
}
