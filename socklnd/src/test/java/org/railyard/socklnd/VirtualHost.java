package org.railyard.socklnd;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;

/** A host whose time stands still until a test moves it. */
final class VirtualHost implements Host {
    static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(1_000 * SECOND);
    private final List<Duty> duties = new CopyOnWriteArrayList<>();

    @Override
    public NodeClock clock() {
        return new NodeClock() {
            @Override
            public long nanoTime() {
                return now.get();
            }

            @Override
            public long wallNanos() {
                return 1_700_000_000L * SECOND + now.get();
            }
        };
    }

    @Override
    public RandomGenerator random() {
        return new SplittableRandom(1);
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        duties.add(duty);
        duty.run(now.get());
        return new Worker() {
            @Override
            public void wake() {
                duty.run(now.get());
            }

            @Override
            public void close() {
                duties.remove(duty);
            }
        };
    }

    /** Lets time go by, then runs every worker once. */
    void advance(long nanos) {
        long then = now.addAndGet(nanos);
        duties.forEach(duty -> duty.run(then));
    }
}
