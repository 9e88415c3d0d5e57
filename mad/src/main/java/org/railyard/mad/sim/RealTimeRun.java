package org.railyard.mad.sim;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets the time of a {@link VirtualLoop} pass like real time, for a simulated subnet that people watch. Tasks may be
 * handed over by any thread; all else runs in the thread of {@link #run}.
 */
public final class RealTimeRun {
    /** Most tasks that wait. */
    private static final int MAX_TASKS = 1024;

    private static final long STEP_NANOS = 2_000_000;

    private final VirtualLoop loop;
    private final LongSupplier clock;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>(MAX_TASKS);
    private volatile boolean ended;

    /**
     * Prepares it.
     *
     * @param clock monotonic time, ns
     */
    public RealTimeRun(VirtualLoop loop, LongSupplier clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /**
     * Runs a task in the loop.
     *
     * @throws IllegalStateException if too many wait
     */
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs what is due, and tasks, until {@link #end}. */
    public void run() throws InterruptedException {
        long offset = loop.nanoTime() - clock.getAsLong();
        while (!ended) {
            Runnable task = tasks.poll(STEP_NANOS, TimeUnit.NANOSECONDS);
            long due = clock.getAsLong() + offset - loop.nanoTime();
            if (due > 0) {
                loop.runFor(due);
            }
            if (task != null) {
                task.run();
            }
        }
    }

    /** Ends the run, soon. */
    public void end() {
        ended = true;
    }
}
