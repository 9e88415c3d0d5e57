package org.railyard.lab.net;

import org.jspecify.annotations.Nullable;

/** A queue of frames that can be looked into. */
final class FrameRing {
    private @Nullable Frame[] ring = new Frame[8];
    private int head;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Frame frame) {
        if (size == ring.length) {
            @Nullable Frame[] larger = new Frame[size * 2];
            for (int i = 0; i < size; i++) {
                larger[i] = get(i);
            }
            ring = larger;
            head = 0;
        }
        ring[head + size & ring.length - 1] = frame;
        size++;
    }

    /** Returns the frame at a place, 0 for the oldest. */
    Frame get(int place) {
        Frame frame = ring[head + place & ring.length - 1];
        if (place >= size || frame == null) {
            throw new IndexOutOfBoundsException("place " + place + " of " + size);
        }
        return frame;
    }

    /** Takes the oldest frame. */
    Frame poll() {
        Frame frame = get(0);
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        size--;
        return frame;
    }
}
