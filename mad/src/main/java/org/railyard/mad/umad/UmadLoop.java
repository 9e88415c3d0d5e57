package org.railyard.mad.umad;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.railyard.mad.transport.MadLoop;

/**
 * Tasks and timers of a umad transport. The thread that receives runs them between two MADs: so a MAD that is received
 * and what is sent because of it needs no other thread.
 */
final class UmadLoop implements MadLoop {
    /** How long the thread waits for a MAD before it looks at tasks of other threads, ms. */
    static final int TICK_MILLIS = 10;

    private static final long MILLI = 1_000_000L;

    private final Queue<Runnable> fromOthers = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> own = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final LongSupplier clock;
    private volatile Thread thread = Thread.currentThread();
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

    UmadLoop(LongSupplier clock) {
        this.clock = clock;
    }

    /** From now on this thread is the loop. */
    void runsIn(Thread newThread) {
        thread = newThread;
    }

    boolean isInLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public long nanoTime() {
        return clock.getAsLong();
    }

    @Override
    public void execute(Runnable task) {
        if (isInLoop()) {
            own.add(task);
        } else {
            fromOthers.add(task);
        }
    }

    @Override
    public Runnable schedule(long delayNanos, Runnable task) {
        Timer timer = new Timer(nanoTime() + Math.max(0, delayNanos), planned++, task);
        timers.add(timer);
        return () -> timer.cancelled = true;
    }

    @Override
    public long granularityNanos() {
        return TICK_MILLIS * MILLI;
    }

    /** Runs what is due; returns for how many ms nothing will be, at most {@link #TICK_MILLIS}. */
    int runDue() {
        for (Runnable task = fromOthers.poll(); task != null; task = fromOthers.poll()) {
            task.run();
        }
        // What these tasks add is for the next round, so that a MAD comes between.
        for (int i = own.size(); i > 0; i--) {
            own.remove().run();
        }
        long now = nanoTime();
        for (Timer first = timers.peek(); first != null && first.at - now <= 0; first = timers.peek()) {
            timers.remove();
            if (!first.cancelled) {
                first.task.run();
            }
        }
        if (!own.isEmpty() || !fromOthers.isEmpty()) {
            return 0;
        }
        Timer next = timers.peek();
        long wait = next == null ? TICK_MILLIS : Math.max(0, (next.at - nanoTime() + MILLI - 1) / MILLI);
        return (int) Math.min(TICK_MILLIS, wait);
    }
}
