package org.railyard.lab.engine;

import org.jspecify.annotations.Nullable;

/** The events that are to happen at the present moment, in the order in which they were added. Not thread-safe. */
final class PresentEvents {
    /** An event that was added as number n has the place {@code FIRST_PLACE - (n & NUMBERS)}. */
    private static final int FIRST_PLACE = SimEvent.NOT_QUEUED - 1;

    private static final int NUMBERS = (1 << 30) - 1;

    /** A power of two; null stands for one that was removed. */
    private @Nullable SimEvent[] ring = new SimEvent[64];

    private int first;
    private int end;
    private int count;

    /** Returns how many wait. */
    int count() {
        return count;
    }

    /** Appends an event that is not scheduled. */
    void add(SimEvent event) {
        if (end - first == ring.length) {
            grow();
        }
        event.place = FIRST_PLACE - (end & NUMBERS);
        ring[end++ & ring.length - 1] = event;
        count++;
    }

    private void grow() {
        @Nullable SimEvent[] larger = new @Nullable SimEvent[ring.length * 2];
        for (int number = first; number != end; number++) {
            larger[number & larger.length - 1] = ring[number & ring.length - 1];
        }
        ring = larger;
    }

    /** Takes an event out; false if it is not one of these. */
    boolean remove(SimEvent event) {
        if (event.place > FIRST_PLACE) {
            return false;
        }
        ring[FIRST_PLACE - event.place & ring.length - 1] = null;
        event.place = SimEvent.NOT_QUEUED;
        taken();
        return true;
    }

    /** Takes the first one out; there is one. */
    SimEvent takeFirst() {
        while (true) {
            int slot = first++ & ring.length - 1;
            SimEvent event = ring[slot];
            if (event != null) {
                ring[slot] = null;
                event.place = SimEvent.NOT_QUEUED;
                taken();
                return event;
            }
        }
    }

    private void taken() {
        if (--count == 0) {
            first = 0;
            end = 0;
        }
    }
}
