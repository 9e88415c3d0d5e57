package org.railyard.mad.transport;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Timers of a {@link MadLoop}, by time and then by the order in which they were set: a binary heap. Each MAD of a
 * simulated subnet is three of them, so they are compared without calls. For the thread of the loop.
 */
public final class TimerQueue {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable Timer[] heap = new Timer[FIRST_CAPACITY];

    /** Times and numbers of the timers at the same places, side by side for the processor's cache. */
    private long[] times = new long[FIRST_CAPACITY];

    private long[] numbers = new long[FIRST_CAPACITY];
    private int size;
    private long planned;

    /** A task; run, it is what cancels it. */
    private static final class Timer implements Runnable {
        private final Runnable task;
        private boolean cancelled;

        Timer(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            cancelled = true;
        }
    }

    /** Makes an empty queue. */
    public TimerQueue() {}

    /** Plans a task for a time, ns of the loop's clock; what is returned cancels it. */
    public Runnable add(long at, Runnable task) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
            times = Arrays.copyOf(times, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        int place = size++;
        // It has the largest number: of those at the same time it is the last.
        while (place > 0 && at - times[place - 1 >> 1] < 0) {
            int above = place - 1 >> 1;
            move(above, place);
            place = above;
        }
        Timer timer = new Timer(task);
        heap[place] = timer;
        times[place] = at;
        numbers[place] = planned++;
        return timer;
    }

    private void move(int from, int to) {
        heap[to] = heap[from];
        times[to] = times[from];
        numbers[to] = numbers[from];
    }

    private @Nullable Timer next() {
        Timer next = heap[0];
        while (next != null && next.cancelled) {
            removeFirst();
            next = heap[0];
        }
        return next;
    }

    /** Moves the last one to where the first one was, and down as far as others are before it. */
    private void removeFirst() {
        int last = --size;
        int place = 0;
        for (int below = 1; below < last; below = 2 * place + 1) {
            if (below + 1 < last && isBefore(below + 1, below)) {
                below++;
            }
            if (isBefore(last, below)) {
                break;
            }
            move(below, place);
            place = below;
        }
        move(last, place);
        heap[last] = null;
    }

    private boolean isBefore(int one, int other) {
        long ahead = times[one] - times[other];
        return ahead == 0 ? numbers[one] < numbers[other] : ahead < 0;
    }

    /** Returns how long it is from a time until the next task, ns: 0 or less if it is due, the maximum for none. */
    public long untilNext(long now) {
        Timer next = next();
        return next == null ? Long.MAX_VALUE : times[0] - now;
    }

    /** Takes the next task out. */
    public Runnable remove() {
        Timer next = next();
        if (next == null) {
            throw new IllegalStateException("no timer is set");
        }
        removeFirst();
        return next.task;
    }
}
