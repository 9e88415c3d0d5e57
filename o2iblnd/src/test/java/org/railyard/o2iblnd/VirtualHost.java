package org.railyard.o2iblnd;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.LoopTimer;

/** A machine in virtual time. */
final class VirtualHost implements Host, NodeClock {
    private static final long SOON = 1000;

    private final VirtualTime time;
    private final RandomGenerator random;
    private final long wallStart;

    VirtualHost(VirtualTime time, RandomGenerator random, long wallStart) {
        this.time = time;
        this.random = random;
        this.wallStart = wallStart;
    }

    private final class VirtualWorker implements Worker {
        private final Duty duty;
        private @Nullable LoopTimer next;
        private long due;

        VirtualWorker(Duty duty) {
            this.duty = duty;
        }

        private void run() {
            next = null;
            schedule(duty.run(time.now()));
        }

        private void schedule(long when) {
            LoopTimer waiting = next;
            if (waiting == null || when < due) {
                if (waiting != null) {
                    waiting.cancel();
                }
                due = Math.max(when, time.now() + SOON);
                next = time.at(due, this::run);
            }
        }

        @Override
        public void wake() {
            schedule(time.now());
        }

        @Override
        public void close() {
            LoopTimer waiting = next;
            if (waiting != null) {
                waiting.cancel();
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
