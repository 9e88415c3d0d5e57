package org.railyard.selftest.node;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.host.Worker;

/** What selftest does by itself: something each second, and what others put off. Thread-safe. */
final class Duties implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    private final Runnable everySecond;
    private final ConcurrentLinkedQueue<Runnable> putOff = new ConcurrentLinkedQueue<>();
    private @Nullable Worker worker;
    private long nextSecond;

    /**
     * Makes a list of duties.
     *
     * @param everySecond must not block
     */
    Duties(Runnable everySecond) {
        this.everySecond = everySecond;
    }

    void start(Host host) {
        nextSecond = host.clock().nanoTime() + SECOND;
        worker = host.startWorker("selftest", this::run);
    }

    private long run(long now) {
        for (int left = putOff.size(); left > 0; left--) {
            Runnable task = putOff.poll();
            if (task != null) {
                task.run();
            }
        }
        if (nextSecond - now <= 0) {
            everySecond.run();
            nextSecond = now + SECOND;
        }
        return putOff.isEmpty() ? nextSecond : now;
    }

    /** Lets a task run soon, on another thread's time. */
    void putOff(Runnable task) {
        putOff.add(task);
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }

    @Override
    public void close() {
        Worker running = worker;
        if (running != null) {
            running.close();
        }
    }
}
