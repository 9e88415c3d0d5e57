package org.railyard.softverbs;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Virtual time that starts at 0 and stands alone. For one thread. */
public final class VirtualTime implements Timeline {
    /** Most happenings that may wait at a time. */
    public static final int MAX_WAITING = 1 << 24;

    private static final class Entry implements Cancel {
        private final long time;
        private final long order;
        private @Nullable Runnable happening;

        Entry(long time, long order, Runnable happening) {
            this.time = time;
            this.order = order;
            this.happening = happening;
        }

        long time() {
            return time;
        }

        long order() {
            return order;
        }

        @Override
        public void cancel() {
            happening = null;
        }
    }

    private final PriorityQueue<Entry> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Entry::time).thenComparingLong(Entry::order));
    private long now;
    private long orders;
    private long happened;

    /** Makes a time at 0 at which nothing is going to happen. */
    public VirtualTime() {}

    @Override
    public long now() {
        return now;
    }

    /** Returns how much has happened. */
    public long happened() {
        return happened;
    }

    @Override
    public Cancel at(long timeNanos, Runnable happening) {
        if (waiting.size() >= MAX_WAITING) {
            throw new IllegalStateException(MAX_WAITING + " happenings wait at virtual time " + now + " ns");
        }
        Entry entry = new Entry(Math.max(now, timeNanos), orders++, happening);
        waiting.add(entry);
        return entry;
    }

    /**
     * Lets the next thing happen, if its time comes up to a limit.
     *
     * @return false if nothing happens up to then; time is at the limit in that case
     */
    public boolean runNext(long untilNanos) {
        while (true) {
            Entry next = waiting.peek();
            if (next == null || next.time > untilNanos) {
                now = Math.max(now, untilNanos);
                return false;
            }
            waiting.remove();
            Runnable happening = next.happening;
            if (happening != null) {
                next.happening = null;
                now = next.time;
                happened++;
                happening.run();
                return true;
            }
        }
    }

    /** Lets everything happen whose time comes within a span, ns. */
    public void run(long spanNanos) {
        long end = now + spanNanos;
        while (runNext(end)) {
            // The next one.
        }
    }

    /**
     * Lets things happen until a condition holds.
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
