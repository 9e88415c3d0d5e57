package org.railyard.lab.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;

/**
 * The machine that a simulated node believes to run on: its clocks tell virtual time, its workers are events. Not
 * thread-safe.
 */
public final class SimHost implements Host, NodeClock {
    /** How long a woken worker takes to run; a duty is never run again sooner. */
    private static final long WAKE_NANOS = 1_000;

    private final EventQueue queue;
    private final RandomGenerator random;
    private final long monotonicStart;
    private final long wallStart;
    private final List<SimWorker> workers = new ArrayList<>();
    private boolean dead;

    /**
     * Makes a machine.
     *
     * @param queue where its workers run
     * @param random its source of chance
     * @param monotonicStart what its monotonic clock showed at virtual time 0, ns
     * @param wallStart what its wall clock showed at virtual time 0, ns since 1970
     */
    public SimHost(EventQueue queue, RandomGenerator random, long monotonicStart, long wallStart) {
        this.queue = queue;
        this.random = random;
        this.monotonicStart = monotonicStart;
        this.wallStart = wallStart;
    }

    private final class SimWorker extends SimEvent implements Worker {
        private final Duty duty;
        private boolean closed;

        SimWorker(Duty duty) {
            this.duty = duty;
        }

        @Override
        protected void run() {
            long next = duty.run(nanoTime()) - monotonicStart;
            if (!closed && !dead && (!isScheduled() || time() > next)) {
                queue.schedule(this, Math.max(next, queue.now() + WAKE_NANOS));
            }
        }

        @Override
        public void wake() {
            long soon = queue.now() + WAKE_NANOS;
            if (!closed && !dead && (!isScheduled() || time() > soon)) {
                queue.schedule(this, soon);
            }
        }

        @Override
        public void close() {
            closed = true;
            queue.cancel(this);
            workers.remove(this);
        }
    }

    @Override
    public NodeClock clock() {
        return this;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        SimWorker worker = new SimWorker(duty);
        workers.add(worker);
        worker.wake();
        return worker;
    }

    /** The machine loses its power: no worker runs any more. */
    public void die() {
        dead = true;
        workers.forEach(queue::cancel);
    }

    /** Returns how many workers are not closed. */
    public int openWorkers() {
        return workers.size();
    }

    @Override
    public long nanoTime() {
        return monotonicStart + queue.now();
    }

    @Override
    public long wallNanos() {
        return wallStart + queue.now();
    }
}
