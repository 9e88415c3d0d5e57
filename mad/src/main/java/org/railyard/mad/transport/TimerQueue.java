package org.railyard.mad.transport;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Timers of a {@link MadLoop}, by time and then by the order in which they were set. For the thread of the loop. */
public final class TimerQueue {
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long planned;

    private static final class Timer implements Comparable<Timer> {
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
        public int compareTo(Timer other) {
            int first = Long.compare(at - other.at, 0);
            return first != 0 ? first : Long.compare(order, other.order);
        }
    }

    /** Makes an empty queue. */
    public TimerQueue() {}

    /** Plans a task for a time, ns of the loop's clock; what is returned cancels it. */
    public Runnable add(long at, Runnable task) {
        Timer timer = new Timer(at, planned++, task);
        timers.add(timer);
        return () -> timer.cancelled = true;
    }

    private @Nullable Timer next() {
        Timer next = timers.peek();
        while (next != null && next.cancelled) {
            timers.remove();
            next = timers.peek();
        }
        return next;
    }

    /** Returns how long it is from a time until the next task, ns: 0 or less if it is due, the maximum for none. */
    public long untilNext(long now) {
        Timer next = next();
        return next == null ? Long.MAX_VALUE : next.at - now;
    }

    /** Takes the next task out. */
    public Runnable remove() {
        if (next() == null) {
            throw new IllegalStateException("no timer is set");
        }
        return timers.remove().task;
    }
}
