package org.railyard.ibverbs;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tasks of a loop: those of other threads, and those of its own, which make no garbage. */
final class LoopTasks {
    /** Who runs tasks. */
    interface Owner {
        /** Tells whether tasks may still run. */
        boolean goesOn();
    }

    /** Most tasks from other threads that may wait at a time. */
    static final int MAX_TASKS = 1 << 20;

    private static final System.Logger LOG = System.getLogger(LoopTasks.class.getName());

    /** How often a caller looks whether the loop it waits for has ended. */
    private static final int LOOK_MILLIS = 100;

    private final ConcurrentLinkedQueue<Runnable> fromOthers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ArrayDeque<Runnable> own = new ArrayDeque<>();

    /** Adds a task of the loop itself. */
    void addOwn(Runnable task) {
        own.add(task);
    }

    /**
     * Adds a task of another thread.
     *
     * @throws IllegalStateException if too many wait
     */
    void addOther(Runnable task) {
        if (waiting.incrementAndGet() > MAX_TASKS) {
            waiting.decrementAndGet();
            throw new IllegalStateException(MAX_TASKS + " tasks wait in a loop: it does not keep up");
        }
        fromOthers.add(task);
    }

    boolean isEmpty() {
        return own.isEmpty() && fromOthers.isEmpty();
    }

    /** Runs the tasks that are there; those that come meanwhile take their turn later. */
    void run(Owner owner) {
        for (int left = waiting.get(); left > 0; left--) {
            Runnable task = fromOthers.poll();
            if (task != null) {
                waiting.decrementAndGet();
                own.add(task);
            }
        }
        for (int left = own.size(); left > 0 && owner.goesOn(); left--) {
            run(own.remove());
        }
    }

    /** Runs a task; a failure of it is logged, and nothing else. */
    static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a task of " + Thread.currentThread().getName() + " failed",
                    e);
        }
    }

    /** Waits until a task has run that another thread hands over; throws what it throws. */
    static void await(Runnable task, Consumer<Runnable> execute, BooleanSupplier ended) {
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        execute.accept(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                failure.set(e);
            } finally {
                done.countDown();
            }
        });
        boolean interrupted = false;
        try {
            while (!isDone(done)) {
                if (ended.getAsBoolean()) {
                    throw new IllegalStateException("the loop has ended");
                }
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private static boolean isDone(CountDownLatch done) {
        try {
            return done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
