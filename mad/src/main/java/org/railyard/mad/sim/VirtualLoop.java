package org.railyard.mad.sim;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.transport.MadLoop;

/**
 * Virtual time: events in the order of their times, and those of one time in the order in which they were planned. For
 * one thread.
 */
public final class VirtualLoop implements MadLoop {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long planned;

    private static final class Event implements Comparable<Event> {
        private final long at;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        Event(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public int compareTo(Event other) {
            int first = Long.compare(at, other.at);
            return first != 0 ? first : Long.compare(order, other.order);
        }
    }

    /** Makes one at time 0 with nothing planned. */
    public VirtualLoop() {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        schedule(0, task);
    }

    @Override
    public Runnable schedule(long delayNanos, Runnable task) {
        Event event = new Event(now + Math.max(0, delayNanos), planned++, task);
        events.add(event);
        return () -> event.cancelled = true;
    }

    @Override
    public long granularityNanos() {
        return 0;
    }

    /** Returns the next event that was not cancelled. */
    private @Nullable Event next() {
        Event next = events.peek();
        while (next != null && next.cancelled) {
            events.remove();
            next = events.peek();
        }
        return next;
    }

    /** Runs the next event; false if there is none. */
    public boolean step() {
        Event next = next();
        if (next == null) {
            return false;
        }
        events.remove();
        now = next.at;
        next.task.run();
        return true;
    }

    /** Runs events until a condition holds; false if it does not within this time, or if nothing is left. */
    public boolean runUntil(BooleanSupplier condition, long limitNanos) {
        long end = now + limitNanos;
        while (!condition.getAsBoolean()) {
            Event next = next();
            if (next == null || next.at > end) {
                return false;
            }
            step();
        }
        return true;
    }

    /** Runs all events of the next so many ns, and lets that time pass. */
    public void runFor(long nanos) {
        long end = now + nanos;
        for (Event next = next(); next != null && next.at <= end; next = next()) {
            step();
        }
        now = end;
    }
}
