package org.railyard.roce;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.LoopTimer;

/** A machine in virtual time: its workers are series of events. */
final class VirtualHost implements Host {
    /** So long a worker takes at least, ns. */
    private static final long WORK_NANOS = 1000;

    private final VirtualTime time;
    private final RandomGenerator random;

    VirtualHost(VirtualTime time, long seed) {
        this.time = time;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public NodeClock clock() {
        return new NodeClock() {
            @Override
            public long nanoTime() {
                return time.now();
            }

            @Override
            public long wallNanos() {
                return time.now();
            }
        };
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

    private final class VirtualWorker implements Worker {
        private final Duty duty;
        private @Nullable LoopTimer next;
        private long at;
        private boolean closed;

        VirtualWorker(Duty duty) {
            this.duty = duty;
        }

        private void schedule(long when) {
            if (closed || next != null && at <= when) {
                return;
            }
            if (next != null) {
                next.cancel();
            }
            at = when;
            next = time.at(when, this::run);
        }

        private void run() {
            next = null;
            schedule(Math.max(duty.run(time.now()), time.now() + WORK_NANOS));
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
}
