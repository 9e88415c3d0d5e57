package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** What bulk data looks like, and how it is checked (spec 03 §5). */
public enum Pattern {
    /** Data is anything. */
    NONE(1),
    /** The first and the last word of every page count. */
    SIMPLE(2),
    /** Every word counts. */
    FULL(3),
    /** Data is anything and is thrown away; nodes before 2.18 do not know it. */
    DISCARD(4);

    /** Bytes of a page. */
    public static final int PAGE = 4096;

    /** What a writer puts into each word that counts. */
    public static final long MAGIC = 0xeeb0eeb1eeb2eeb3L;

    /** What a reader has there before. */
    public static final long POISON = 0xbeefbeefbeefbeefL;

    private final int number;

    Pattern(int number) {
        this.number = number;
    }

    /** Returns the one with a number on the wire; null if there is none. */
    public static @Nullable Pattern of(int number) {
        for (Pattern each : values()) {
            if (each.number == number) {
                return each;
            }
        }
        return null;
    }

    /** Returns its number on the wire. */
    public int number() {
        return number;
    }

    /**
     * Puts a word everywhere where words count.
     *
     * @param offset of the first byte in its page, a multiple of 8
     * @param length bytes, a multiple of 8
     */
    public void fill(MemorySegment memory, int offset, int length, long word) {
        if (this == FULL) {
            fill(memory, length, word);
        } else if (this == SIMPLE) {
            for (int at = 0; at < length; at = pageEnd(at, offset, length)) {
                memory.set(LE64, at, word);
                memory.set(LE64, pageEnd(at, offset, length) - Long.BYTES, word);
            }
        }
    }

    /**
     * Tells whether the magic word is everywhere where words count; the other parameters are those of {@link #fill}.
     *
     * @param order how the node that wrote it writes numbers
     */
    public boolean isIn(MemorySegment memory, int offset, int length, ByteOrder order) {
        long word = order == ByteOrder.BIG_ENDIAN ? Long.reverseBytes(MAGIC) : MAGIC;
        if (this == FULL) {
            return length == 0 || memory.get(LE64, 0) == word && isRepeated(memory, length);
        }
        if (this == SIMPLE) {
            for (int at = 0; at < length; at = pageEnd(at, offset, length)) {
                if (memory.get(LE64, at) != word
                        || memory.get(LE64, pageEnd(at, offset, length) - Long.BYTES) != word) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Copies what is there already: a page at a time once there is one, as that stays close to the processor. */
    private static void fill(MemorySegment memory, int length, long word) {
        if (length == 0) {
            return;
        }
        memory.set(LE64, 0, word);
        int at = Long.BYTES;
        while (at < length) {
            int step = Math.min(Math.min(at, PAGE), length - at);
            MemorySegment.copy(memory, 0, memory, at, step);
            at += step;
        }
    }

    /** Tells whether each word is the one before it, in a single comparison of many bytes at once. */
    private static boolean isRepeated(MemorySegment memory, int length) {
        return MemorySegment.mismatch(memory, 0, length - Long.BYTES, memory, Long.BYTES, length) < 0;
    }

    private static int pageEnd(int at, int offset, int length) {
        return Math.min(length, at + PAGE - (at + offset) % PAGE);
    }
}
