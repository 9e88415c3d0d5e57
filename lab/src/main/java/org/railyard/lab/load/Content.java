package org.railyard.lab.load;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.lab.payload.PayloadPattern;
import org.railyard.verbs.NativeMemory;

/**
 * What is in payloads, and the memory of a run. Each call carries another stretch of one long pattern, given by its
 * number and the seed of the run, so that a byte in the wrong place, of another call, or left by another run shows.
 * Belongs to the thread of its run, which closes it.
 */
public final class Content implements AutoCloseable {
    /** Golden ratio: neighbouring seeds begin far from each other. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    /** Most memory of a run for messages of cards, bytes; beyond, the collector frees it. */
    static final long MAX_MESSAGE_BYTES = 256L << 20;

    private final long first;
    private final RunMemory memory;
    private final List<RunMemory.Piece> pieces = new ArrayList<>();
    private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();
    private final MemorySegment sink;
    private long messageBytes;

    /** Makes memory for the run of a seed. */
    public Content(long seed) {
        this(seed, RunMemory.shared());
    }

    Content(long seed, RunMemory memory) {
        this.memory = memory;
        first = Long.remainderUnsigned(seed * SPREAD, PayloadPattern.STARTS);
        for (int i = 0; i <= RunMemory.bucket(RunMemory.MAX_BYTES); i++) {
            free.add(new ArrayDeque<>());
        }
        sink = make(RunMemory.bucket(Wire.MTU));
    }

    private MemorySegment make(int bucket) {
        RunMemory.Piece piece = memory.take(bucket);
        pieces.add(piece);
        return piece.memory();
    }

    /** Returns where the stretch of the call with that number begins, bytes from the start of the pattern. */
    int offset(long id) {
        return (int) (Long.BYTES * ((first + id) % PayloadPattern.STARTS));
    }

    /** Returns memory of so many bytes, with anything in it; belongs to the caller until {@link #giveBack}. */
    MemorySegment take(int bytes) {
        int bucket = RunMemory.bucket(bytes);
        MemorySegment kept = free.get(bucket).pollLast();
        return kept == null ? make(bucket) : kept;
    }

    /** Takes memory back. */
    void giveBack(MemorySegment used) {
        free.get(RunMemory.bucket(used.byteSize())).addLast(used);
    }

    /**
     * Returns memory for messages of cards, with anything in it. It lives until the end of the run, as a card may write
     * into it when its owner has forgotten it.
     *
     * @param bytes how much, from 1
     * @param alignment of its address, bytes, a power of two
     * @throws org.railyard.verbs.VerbsException ENOMEM if there is not so much
     */
    public MemorySegment forMessages(long bytes, long alignment) {
        int bucket = RunMemory.bucket(bytes);
        if (bytes < RunMemory.MIN_SPARSE_BYTES
                || bytes > RunMemory.MAX_BYTES
                || alignment > SparseMemory.PAGE_BYTES
                || messageBytes + (1L << bucket) > MAX_MESSAGE_BYTES) {
            return NativeMemory.allocate(bytes, alignment);
        }
        messageBytes += 1L << bucket;
        return make(bucket).asSlice(0, bytes);
    }

    /** Returns what the PUT with that number carries. Not to be written to. */
    MemorySegment stretch(long id, int bytes) {
        return PayloadPattern.memory().asSlice(offset(id), bytes);
    }

    /** Tells whether memory holds what the call with that number carries, or a reference to it. */
    public boolean isOf(MemorySegment found, long id, int bytes) {
        return PayloadPattern.isIn(found, offset(id), bytes);
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

    /** Gives all memory of the run to later ones: none of its nodes may use it any more. */
    @Override
    public void close() {
        memory.giveBack(pieces);
    }
}
