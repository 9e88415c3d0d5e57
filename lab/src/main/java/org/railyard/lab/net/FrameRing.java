package org.railyard.lab.net;

import org.jspecify.annotations.Nullable;

/** A queue of frames that can be looked into. */
final class FrameRing {
    private @Nullable SimFrame[] ring = new SimFrame[8];
    private int head;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(SimFrame frame) {
        if (size == ring.length) {
            @Nullable SimFrame[] larger = new SimFrame[size * 2];
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
    SimFrame get(int place) {
        SimFrame frame = ring[head + place & ring.length - 1];
        if (place >= size || frame == null) {
            throw new IndexOutOfBoundsException("place " + place + " of " + size);
        }
        return frame;
    }

    /** Takes the oldest frame. */
    SimFrame poll() {
        SimFrame frame = get(0);
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        size--;
        return frame;
    }
}
