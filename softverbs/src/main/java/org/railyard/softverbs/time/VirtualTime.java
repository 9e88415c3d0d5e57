package org.railyard.softverbs.time;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.LoopTimer;

/** Virtual time that starts at 0 and stands alone. For one thread. */
public final class VirtualTime implements Timeline {
    /** Most events that may wait at a time. */
    public static final int MAX_WAITING = 1 << 24;

    private static final class Entry implements LoopTimer {
        private final long time;
        private final long order;
        private @Nullable Runnable event;

        Entry(long time, long order, Runnable event) {
            this.time = time;
            this.order = order;
            this.event = event;
        }

        long time() {
            return time;
        }

        long order() {
            return order;
        }

        @Override
        public void cancel() {
            event = null;
        }
    }

    private final PriorityQueue<Entry> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Entry::time).thenComparingLong(Entry::order));
    private long now;
    private long orders;

    /** Makes a time at 0 without events. */
    public VirtualTime() {}

    @Override
    public long now() {
        return now;
    }

    @Override
    public LoopTimer at(long timeNanos, Runnable event) {
        if (waiting.size() >= MAX_WAITING) {
            throw new IllegalStateException(MAX_WAITING + " events wait at virtual time " + now + " ns");
        }
        Entry entry = new Entry(Math.max(now, timeNanos), orders++, event);
        waiting.add(entry);
        return entry;
    }

    /**
     * Runs the next event, if its time comes up to a limit.
     *
     * @return false if there is none up to then; time is at the limit in that case
     */
    public boolean runNext(long untilNanos) {
        while (true) {
            Entry next = waiting.peek();
            if (next == null || next.time > untilNanos) {
                now = Math.max(now, untilNanos);
                return false;
            }
            waiting.remove();
            Runnable event = next.event;
            if (event != null) {
                next.event = null;
                now = next.time;
                event.run();
                return true;
            }
        }
    }

    /** Runs all events whose time comes within a span, ns. */
    public void run(long spanNanos) {
        long end = now + spanNanos;
        while (runNext(end)) {
            // The next one.
        }
    }

    /**
     * Runs events until a condition holds.
     *
     * @return false if it does not within a span, ns
     */
    public boolean runUntil(BooleanSupplier condition, long spanNanos) {
        long end = now + spanNanos;
        while (!condition.getAsBoolean()) {
            if (!runNext(end)) {
                return condition.getAsBoolean();
            }
        }
        return true;
    }
}
