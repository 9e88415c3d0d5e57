package org.railyard.itest.netns;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.railyard.base.wire.Wire;

/**
 * Bytes that tell which transfer they belong to and where in it they stand: another stretch of one long text for each
 * transfer, and at the start of each page a word made of its number. Copied and compared as a whole: word by word, it
 * would take most of the processor time of these tests.
 */
final class Pattern {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int PAGE = 4096;

    /** A prime number, so that numbers with steps of any size between them use all stretches. */
    private static final int STRETCHES = 65_521;

    private static final MemorySegment TEXT = text();

    private Pattern() {}

    private static MemorySegment text() {
        MemorySegment made = Arena.global().allocate(Wire.MTU + (long) Long.BYTES * STRETCHES, Long.BYTES);
        for (long at = 0; at < made.byteSize(); at += Long.BYTES) {
            made.set(ValueLayout.JAVA_LONG, at, mixed(at * 0xD1B54A32D192ED03L));
        }
        return made.asReadOnly();
    }

    private static long mixed(long value) {
        return value ^ value >>> 29;
    }

    private static long start(long number) {
        return (long) Long.BYTES * Math.floorMod(number, STRETCHES);
    }

    /** Returns a byte of the word of a page. */
    private static byte byteOfWord(long number, int page, int at) {
        return (byte) (mixed((number + 1) * STEP ^ page) >>> Byte.SIZE * at);
    }

    /**
     * Fills the first bytes of some memory.
     *
     * @param length bytes, at most {@link Wire#MTU}
     */
    static void fill(MemorySegment memory, int length, long number) {
        MemorySegment.copy(TEXT, start(number), memory, 0, length);
        for (int page = 0; page < length; page += PAGE) {
            for (int at = 0; at < Long.BYTES && page + at < length; at++) {
                memory.set(ValueLayout.JAVA_BYTE, page + at, byteOfWord(number, page, at));
            }
        }
    }

    /** Tells whether the first bytes of some memory are as they should be; more of them may have been filled. */
    static boolean isIn(MemorySegment memory, int length, long number) {
        long start = start(number);
        for (int page = 0; page < length; page += PAGE) {
            int text = Math.min(length, page + Long.BYTES);
            int end = Math.min(length, page + PAGE);
            for (int at = 0; page + at < text; at++) {
                if (memory.get(ValueLayout.JAVA_BYTE, page + at) != byteOfWord(number, page, at)) {
                    return false;
                }
            }
            if (MemorySegment.mismatch(TEXT, start + text, start + end, memory, text, end) >= 0) {
                return false;
            }
        }
        return true;
    }
}
