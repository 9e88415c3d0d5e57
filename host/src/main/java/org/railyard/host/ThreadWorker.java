package org.railyard.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.railyard.base.host.Duty;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;

/**
 * A daemon thread that runs a duty when it is due or woken. A duty that throws is logged and tried again after a
 * second.
 */
final class ThreadWorker implements Worker {
    private static final System.Logger LOG = System.getLogger(ThreadWorker.class.getName());
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Duty duty;
    private final NodeClock clock;
    private final Thread thread;

    @GuardedBy("lock")
    private boolean woken = true;

    @GuardedBy("lock")
    private boolean closed;

    ThreadWorker(String name, Duty duty, NodeClock clock) {
        this.duty = duty;
        this.clock = clock;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::loop);
    }

    void start() {
        thread.start();
    }

    private void loop() {
        long next = clock.nanoTime();
        while (await(next)) {
            try {
                next = duty.run(clock.nanoTime());
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, thread.getName() + " failed, tries again in one second", e);
                next = clock.nanoTime() + RETRY_NANOS;
            }
        }
    }

    /** Waits until the given time or a wake-up; returns false when closed. */
    private boolean await(long next) {
        lock.lock();
        try {
            while (!woken && !closed) {
                long left = next - clock.nanoTime();
                if (left <= 0) {
                    break;
                }
                changed.awaitNanos(left);
            }
            woken = false;
            return !closed;
        } catch (InterruptedException e) {
            // Nobody but close() ends this thread; an interrupt is only a wake-up.
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
