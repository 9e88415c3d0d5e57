package org.railyard.roce.loop;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.card.CardLoop;

/** A loop of a user. All loops of a provider run on its one thread, in turns. */
public final class RoceLoop implements CardLoop {
    private static final System.Logger LOG = System.getLogger(RoceLoop.class.getName());

    /** Most tasks from other threads that may wait at a time. */
    private static final int MAX_TASKS = 1 << 22;

    /** How often a caller looks whether the loop it waits for has ended. */
    private static final int LOOK_MILLIS = 100;

    private final ProviderThread engine;
    private final String name;
    private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Tasks from the thread itself. */
    private final ArrayDeque<Runnable> own = new ArrayDeque<>();

    private volatile boolean closed;

    /** Makes a loop without tasks. */
    public RoceLoop(ProviderThread engine, String name) {
        this.engine = engine;
        this.name = name;
    }

    /** Returns the thread that it runs in. */
    public ProviderThread engine() {
        return engine;
    }

    boolean hasTasks() {
        return !inbox.isEmpty();
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            return;
        }
        if (engine.isHere()) {
            own.add(task);
            return;
        }
        if (waiting.incrementAndGet() > MAX_TASKS) {
            waiting.decrementAndGet();
            throw new IllegalStateException(MAX_TASKS + " tasks wait in loop " + name);
        }
        inbox.add(task);
        engine.wakeup();
    }

    @Override
    public void call(Runnable task) {
        if (isInLoop()) {
            task.run();
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        execute(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                failure.set(e);
            } finally {
                done.countDown();
            }
        });
        await(done);
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private void await(CountDownLatch done) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                    if (closed || engine.isClosed()) {
                        throw new IllegalStateException("loop " + name + " has ended");
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs the tasks that are there; returns whether there were any. */
    boolean run() {
        for (int left = waiting.get(); left > 0; left--) {
            Runnable task = inbox.poll();
            if (task != null) {
                waiting.decrementAndGet();
                own.add(task);
            }
        }
        boolean any = !own.isEmpty();
        // Those that come meanwhile take their turn.
        for (int left = own.size(); left > 0 && !closed; left--) {
            run(own.remove());
        }
        return any;
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a task of loop " + name + " failed", e);
        }
    }

    @Override
    public LoopTimer schedule(long delayNanos, Runnable task) {
        Scheduled scheduled = new Scheduled(task, engine.now() + delayNanos);
        if (isInLoop()) {
            scheduled.set();
        } else {
            execute(scheduled::set);
        }
        return scheduled;
    }

    private final class Scheduled implements LoopTimer {
        private final Timers.Timer timer;
        private final long at;
        private boolean cancelled;

        Scheduled(Runnable task, long at) {
            this.at = at;
            this.timer = new Timers.Timer(() -> {
                if (!closed) {
                    run(task);
                }
            });
        }

        void set() {
            if (!cancelled) {
                engine.timers().set(timer, at);
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            engine.timers().cancel(timer);
        }
    }

    @Override
    public boolean isInLoop() {
        return engine.isHere();
    }

    @Override
    public void close() {
        closed = true;
        engine.remove(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
