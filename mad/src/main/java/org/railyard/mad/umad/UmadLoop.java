package org.railyard.mad.umad;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.TimerQueue;

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
    private final TimerQueue timers = new TimerQueue();
    private final LongSupplier clock;
    private volatile Thread thread = Thread.currentThread();

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
        return timers.add(nanoTime() + Math.max(0, delayNanos), task);
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
        while (timers.untilNext(now) <= 0) {
            timers.remove().run();
        }
        if (!own.isEmpty() || !fromOthers.isEmpty()) {
            return 0;
        }
        long wait = Math.clamp(timers.untilNext(now), 0, TICK_MILLIS * MILLI);
        return (int) ((wait + MILLI - 1) / MILLI);
    }
}
