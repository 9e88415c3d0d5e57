package org.railyard.itest.netns;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that tell which transfer they belong to and where in it they stand. */
final class Pattern {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Pattern() {}

    /** Fills the first bytes of some memory. */
    static void fill(MemorySegment memory, int length, long number) {
        for (int at = 0; at + Long.BYTES <= length; at += Long.BYTES) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, word(number, at));
        }
        for (int at = length & -Long.BYTES; at < length; at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) word(number, at));
        }
    }

    /** Tells whether the first bytes of some memory are as they should be. */
    static boolean isIn(MemorySegment memory, int length, long number) {
        for (int at = 0; at + Long.BYTES <= length; at += Long.BYTES) {
            if (memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != word(number, at)) {
                return false;
            }
        }
        for (int at = length & -Long.BYTES; at < length; at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != (byte) word(number, at)) {
                return false;
            }
        }
        return true;
    }

    private static long word(long number, int at) {
        long mixed = (number + 1) * STEP ^ at * 0xD1B54A32D192ED03L;
        return mixed ^ mixed >>> 29;
    }
}
