package org.railyard.fabric.sim;

import java.util.Arrays;

/**
 * Events in the order of their times, and at the same time in the order in which they were scheduled. Most events are
 * near: those of the next {@link #SLOTS} ns are in lists, one for each ns, the others in a heap until they are near. An
 * event is a {@code long}. Makes no garbage once it has grown.
 */
final class TimeWheel {
    /** Time beyond all others: nothing is scheduled. */
    static final long NEVER = Long.MAX_VALUE;

    /** How many ns are near; a power of two. */
    static final int SLOTS = 1 << 14;

    /** Most events at a time. */
    static final int MAX_EVENTS = 1 << 26;

    private static final int NONE = -1;
    private static final int MASK = SLOTS - 1;
    private static final int FIRST_SIZE = 1 << 10;

    final int[] first = new int[SLOTS];
    private final int[] last = new int[SLOTS];

    /** A bit for each slot with events, and a bit for each word of those that is not 0. */
    private final long[] used = new long[SLOTS >> 6];

    private final long[] usedWords = new long[SLOTS >> 12];
    int[] next = new int[FIRST_SIZE];
    long[] events = new long[FIRST_SIZE];
    private int free;
    private int near;
    private long[] farTimes = new long[FIRST_SIZE];
    private long[] farOrders = new long[FIRST_SIZE];
    long[] farEvents = new long[FIRST_SIZE];
    int far;
    private long orders;
    private long now;

    TimeWheel() {
        Arrays.fill(first, NONE);
        chain(0);
    }

    private void chain(int from) {
        for (int i = from; i < next.length; i++) {
            next[i] = i + 1;
        }
        next[next.length - 1] = NONE;
        free = from;
    }

    long now() {
        return now;
    }

    int size() {
        return near + far;
    }

    /** Schedules an event; the past counts as now. */
    void schedule(long time, long event) {
        if (time - now >= SLOTS) {
            pushFar(time, event);
        } else {
            append((int) Math.max(time, now) & MASK, event);
        }
    }

    private void append(int slot, long event) {
        if (free == NONE) {
            grow();
        }
        int node = free;
        free = next[node];
        next[node] = NONE;
        events[node] = event;
        if (first[slot] == NONE) {
            first[slot] = node;
            used[slot >> 6] |= 1L << slot;
            usedWords[slot >> 12] |= 1L << (slot >> 6);
        } else {
            next[last[slot]] = node;
        }
        last[slot] = node;
        near++;
    }

    private void grow() {
        int size = next.length;
        if (size >= MAX_EVENTS) {
            throw new IllegalStateException(size + " events are scheduled at " + now + " ns");
        }
        next = Arrays.copyOf(next, 2 * size);
        events = Arrays.copyOf(events, 2 * size);
        chain(size);
    }

    /** Returns the time of the next event, or {@link #NEVER}. */
    long nextTime() {
        if (near > 0) {
            int from = (int) now & MASK;
            return now + ((nextUsed(from) - from) & MASK);
        }
        return far > 0 ? farTimes[0] : NEVER;
    }

    /** Returns the first slot with events from one on, in a circle; there is one. */
    private int nextUsed(int from) {
        int word = from >> 6;
        long rest = used[word] & -1L << from;
        if (rest != 0) {
            return (word << 6) + Long.numberOfTrailingZeros(rest);
        }
        int wordsMask = used.length - 1;
        int at = word + 1 & wordsMask;
        long words = usedWords[at >> 6] & -1L << at;
        int group = at >> 6;
        while (words == 0) {
            group = group + 1 & usedWords.length - 1;
            words = usedWords[group];
        }
        int found = (group << 6) + Long.numberOfTrailingZeros(words);
        return (found << 6) + Long.numberOfTrailingZeros(used[found]);
    }

    /** Goes on to a time before which nothing is scheduled. */
    void advance(long time) {
        now = Math.max(now, time);
        while (far > 0 && farTimes[0] - now < SLOTS) {
            int slot = (int) farTimes[0] & MASK;
            long event = farEvents[0];
            popFar();
            append(slot, event);
        }
    }

    /** Takes the next event out, which is due at {@link #now}. */
    long poll() {
        int slot = (int) now & MASK;
        int node = first[slot];
        first[slot] = next[node];
        next[node] = free;
        free = node;
        near--;
        if (first[slot] == NONE) {
            used[slot >> 6] &= ~(1L << slot);
            if (used[slot >> 6] == 0) {
                usedWords[slot >> 12] &= ~(1L << (slot >> 6));
            }
        }
        return events[node];
    }

    /** Tells whether an event is due at {@link #now}. */
    boolean isDue() {
        return first[(int) now & MASK] != NONE;
    }

    private void pushFar(long time, long event) {
        if (far == farTimes.length) {
            farTimes = Arrays.copyOf(farTimes, 2 * far);
            farOrders = Arrays.copyOf(farOrders, 2 * far);
            farEvents = Arrays.copyOf(farEvents, 2 * far);
        }
        long order = orders++;
        int at = far++;
        while (at > 0 && isBefore(time, order, (at - 1) >> 1)) {
            move((at - 1) >> 1, at);
            at = (at - 1) >> 1;
        }
        put(at, time, order, event);
    }

    private void popFar() {
        far--;
        long time = farTimes[far];
        long order = farOrders[far];
        long event = farEvents[far];
        int at = 0;
        while (2 * at + 1 < far) {
            int child = 2 * at + 1;
            if (child + 1 < far && isBefore(farTimes[child + 1], farOrders[child + 1], child)) {
                child++;
            }
            if (isBefore(time, order, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        put(at, time, order, event);
    }

    private boolean isBefore(long time, long order, int other) {
        return time < farTimes[other] || time == farTimes[other] && order < farOrders[other];
    }

    private void move(int from, int to) {
        put(to, farTimes[from], farOrders[from], farEvents[from]);
    }

    private void put(int at, long time, long order, long event) {
        farTimes[at] = time;
        farOrders[at] = order;
        farEvents[at] = event;
    }
}
