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
    private int size;
    private long planned;

    /** A task; run, it is what cancels it. */
    private static final class Timer implements Runnable {
        private final long at;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        Timer(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public void run() {
            cancelled = true;
        }

        boolean isBefore(Timer other) {
            return at == other.at ? order < other.order : at - other.at < 0;
        }
    }

    /** Makes an empty queue. */
    public TimerQueue() {}

    /** Plans a task for a time, ns of the loop's clock; what is returned cancels it. */
    public Runnable add(long at, Runnable task) {
        Timer timer = new Timer(at, planned++, task);
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int place = size++;
        while (place > 0) {
            Timer above = heap[place - 1 >> 1];
            if (above == null || !timer.isBefore(above)) {
                break;
            }
            heap[place] = above;
            place = place - 1 >> 1;
        }
        heap[place] = timer;
        return timer;
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
        Timer last = heap[--size];
        heap[size] = null;
        if (size == 0 || last == null) {
            return;
        }
        int place = 0;
        for (int below = 1; below < size; below = 2 * place + 1) {
            Timer next = heap[below];
            Timer right = below + 1 < size ? heap[below + 1] : null;
            if (next != null && right != null && right.isBefore(next)) {
                next = right;
                below++;
            }
            if (next == null || !next.isBefore(last)) {
                break;
            }
            heap[place] = next;
            place = below;
        }
        heap[place] = last;
    }

    /** Returns how long it is from a time until the next task, ns: 0 or less if it is due, the maximum for none. */
    public long untilNext(long now) {
        Timer next = next();
        return next == null ? Long.MAX_VALUE : next.at - now;
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
