package org.railyard.mad.transport;

import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Timers of a {@link MadLoop}, by time and then by the order in which they were set. The next ones stand in a row, in
 * their order: each MAD of a simulated subnet is three timers, of which some hundred are set at a time, and to find a
 * place in a row costs less than half of what a heap does. All later ones are in a heap. For the thread of the loop.
 */
public final class TimerQueue {
    /** Most timers in the row. */
    private static final int ROW = 256;

    /** How many come into an empty row. */
    private static final int REFILL = ROW / 2;

    private final @Nullable Timer[] row = new Timer[2 * ROW];

    /** Times of the timers in the row, at the same places. */
    private final long[] times = new long[2 * ROW];

    /** The row is from one place to before the other. */
    private int head;

    private int tail;

    /** None of them is before one in the row. */
    private final PriorityQueue<Timer> later = new PriorityQueue<>();

    private long planned;

    /** A task; run, it is what cancels it. */
    private static final class Timer implements Runnable, Comparable<Timer> {
        private final long at;
        private final long number;
        private final Runnable task;
        private boolean cancelled;

        Timer(long at, long number, Runnable task) {
            this.at = at;
            this.number = number;
            this.task = task;
        }

        @Override
        public void run() {
            cancelled = true;
        }

        @Override
        public int compareTo(Timer other) {
            return at == other.at ? Long.compare(number, other.number) : Long.signum(at - other.at);
        }
    }

    /** Makes an empty queue. */
    public TimerQueue() {}

    /** Plans a task for a time, ns of the loop's clock; what is returned cancels it. */
    public Runnable add(long at, Runnable task) {
        Timer timer = new Timer(at, planned++, task);
        Timer firstLater = later.peek();
        if (firstLater != null && at - firstLater.at >= 0) {
            later.add(timer);
        } else {
            insert(at, timer);
        }
        return timer;
    }

    private void insert(long at, Timer timer) {
        if (tail == row.length) {
            moveToFront();
        }
        // Behind those of the same time, which were set before.
        int place = head;
        int end = tail;
        while (place < end) {
            int middle = place + end >>> 1;
            if (times[middle] - at <= 0) {
                place = middle + 1;
            } else {
                end = middle;
            }
        }
        System.arraycopy(times, place, times, place + 1, tail - place);
        System.arraycopy(row, place, row, place + 1, tail - place);
        times[place] = at;
        row[place] = timer;
        tail++;
        if (tail - head > ROW) {
            Timer last = row[--tail];
            row[tail] = null;
            if (last != null) {
                later.add(last);
            }
        }
    }

    private void moveToFront() {
        int count = tail - head;
        System.arraycopy(times, head, times, 0, count);
        System.arraycopy(row, head, row, 0, count);
        Arrays.fill(row, count, tail, null);
        head = 0;
        tail = count;
    }

    private @Nullable Timer next() {
        while (true) {
            while (head < tail) {
                Timer next = row[head];
                if (next != null && !next.cancelled) {
                    return next;
                }
                row[head++] = null;
            }
            head = 0;
            tail = 0;
            if (later.isEmpty()) {
                return null;
            }
            for (Timer each = later.poll(); each != null; each = tail < REFILL ? later.poll() : null) {
                times[tail] = each.at;
                row[tail++] = each;
            }
        }
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
        row[head++] = null;
        return next.task;
    }
}
