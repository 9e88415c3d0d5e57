package org.railyard.lab.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Memory for payloads on their way, by powers of two. Belongs to the thread of its run. */
final class PayloadPool {
    private static final int MIN_BITS = 6;
    private static final int MAX_BITS = 20;

    /** Most buffers of one size that are kept. */
    private static final int MAX_KEPT = 256;

    private static final byte[] EMPTY = {};

    private final List<ArrayDeque<byte[]>> free = new ArrayList<>();

    PayloadPool() {
        for (int bits = 0; bits <= MAX_BITS; bits++) {
            free.add(new ArrayDeque<>());
        }
    }

    private static int bitsFor(int bytes) {
        return Math.max(MIN_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
    }

    /** Returns a buffer for at least so many bytes. */
    byte[] take(int bytes) {
        if (bytes == 0) {
            return EMPTY;
        }
        int bits = bitsFor(bytes);
        byte[] kept = bits > MAX_BITS ? null : free.get(bits).pollLast();
        return kept == null ? new byte[1 << bits] : kept;
    }

    void giveBack(byte[] buffer) {
        int bits = buffer.length == 0 ? 0 : bitsFor(buffer.length);
        if (bits > 0 && bits <= MAX_BITS && free.get(bits).size() < MAX_KEPT) {
            free.get(bits).addLast(buffer);
        }
    }
}
