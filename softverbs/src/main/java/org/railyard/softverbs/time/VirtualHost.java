package org.railyard.softverbs.time;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.verbs.LoopTimer;

/**
 * A machine in virtual time: its workers are series of events, so that a whole node runs without a thread. For one
 * thread, that of the virtual time.
 */
public final class VirtualHost implements Host, NodeClock {
    /** The least time from one turn of a worker to the next, ns, unless it is woken. */
    private static final long TURN_NANOS = 1000;

    private final VirtualTime time;
    private final RandomGenerator random;
    private final long wallStart;

    /**
     * Makes one.
     *
     * @param time its time
     * @param random where its random numbers come from
     * @param wallStart time of day at virtual time 0, ns since 1970
     */
    public VirtualHost(VirtualTime time, RandomGenerator random, long wallStart) {
        this.time = time;
        this.random = random;
        this.wallStart = wallStart;
    }

    private final class VirtualWorker implements Worker {
        private final Duty duty;
        private @Nullable LoopTimer next;
        private long due;
        private boolean closed;

        VirtualWorker(Duty duty) {
            this.duty = duty;
        }

        private void run() {
            next = null;
            schedule(Math.max(duty.run(time.now()), time.now() + TURN_NANOS));
        }

        private void schedule(long when) {
            if (closed || next != null && due <= when) {
                return;
            }
            if (next != null) {
                next.cancel();
            }
            due = when;
            next = time.at(when, this::run);
        }

        @Override
        public void wake() {
            schedule(time.now());
        }

        @Override
        public void close() {
            closed = true;
            if (next != null) {
                next.cancel();
            }
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
        VirtualWorker worker = new VirtualWorker(duty);
        worker.wake();
        return worker;
    }

    @Override
    public long nanoTime() {
        return time.now();
    }

    @Override
    public long wallNanos() {
        return wallStart + time.now();
    }
}
