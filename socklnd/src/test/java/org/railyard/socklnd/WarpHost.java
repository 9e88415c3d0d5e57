package org.railyard.socklnd;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.railyard.host.RealHost;
import org.railyard.lnet.host.Duty;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.host.NodeClock;
import org.railyard.lnet.host.Worker;

/** The real machine, but its clock can be put forward. Thread-safe. */
final class WarpHost implements Host {
    private final RealHost real = new RealHost();
    private final AtomicLong ahead = new AtomicLong();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();

    /** Puts the clock forward. */
    void advance(long nanos) {
        ahead.addAndGet(nanos);
        workers.forEach(Worker::wake);
    }

    @Override
    public NodeClock clock() {
        NodeClock clock = real.clock();
        return new NodeClock() {
            @Override
            public long nanoTime() {
                return clock.nanoTime() + ahead.get();
            }

            @Override
            public long wallNanos() {
                return clock.wallNanos() + ahead.get();
            }
        };
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        Worker worker = real.startWorker(name, now -> {
            long shift = ahead.get();
            return duty.run(now + shift) - shift;
        });
        workers.add(worker);
        return worker;
    }
}
