package org.railyard.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The bytes of an element that have arrived so far. Grows with what is in it, so it never takes more memory than the
 * capture has bytes.
 */
final class Accumulator {
    private static final int INITIAL = 256;

    private byte[] bytes = new byte[INITIAL];
    private int size;

    /** Adds bytes until there are {@code target} of them; returns how many it took. */
    int fill(MemorySegment from, long at, int target) {
        int take = (int) Math.min(Math.max(0, target - size), from.byteSize() - at);
        if (size + take > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + take, 2 * bytes.length));
        }
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, size, take);
        size += take;
        return take;
    }

    int size() {
        return size;
    }

    /** Returns a view of what is here. */
    MemorySegment view() {
        return MemorySegment.ofArray(bytes).asSlice(0, size);
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Forgets everything; gives back what an exceptionally long element took. */
    void clear() {
        size = 0;
        if (bytes.length > INITIAL) {
            bytes = new byte[INITIAL];
        }
    }
}
