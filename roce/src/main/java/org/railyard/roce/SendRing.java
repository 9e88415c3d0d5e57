package org.railyard.roce;

import org.jspecify.annotations.Nullable;

/** The send requests of a queue pair, in the order in which they were posted. Their places count up for ever. */
final class SendRing {
    private final @Nullable SendRequest[] slots;
    private final int gather;
    private long start;
    private long end;

    SendRing(int capacity, int gather) {
        this.slots = new @Nullable SendRequest[capacity];
        this.gather = gather;
    }

    /** Returns the place of the first one. */
    long start() {
        return start;
    }

    /** Returns the place behind the last one. */
    long end() {
        return end;
    }

    boolean isEmpty() {
        return start == end;
    }

    boolean isFull() {
        return end - start == slots.length;
    }

    SendRequest at(long place) {
        int slot = (int) (place % slots.length);
        SendRequest request = slots[slot];
        if (request == null) {
            request = new SendRequest(gather);
            slots[slot] = request;
        }
        return request;
    }

    /** Returns one more at the end, to be filled in. */
    SendRequest append() {
        return at(end++);
    }

    void removeFirst() {
        start++;
    }

    void clear() {
        start = end;
    }
}
