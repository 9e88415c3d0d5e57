package org.railyard.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;

/**
 * A machine whose clock can be put forward and whose workers can be held back; otherwise it is the one below.
 * Thread-safe.
 */
public final class SteeredHost implements Host {
    private static final long RETRY_NANOS = 10_000_000L;

    private final Host real;
    private final AtomicLong ahead = new AtomicLong();
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();

    /** Steers a machine, as a rule the real one. */
    public SteeredHost(Host real) {
        this.real = real;
    }

    /** Puts the clock forward. */
    public void advance(Duration time) {
        ahead.addAndGet(time.toNanos());
        workers.forEach(Worker::wake);
    }

    /** Holds back the worker with a name. */
    public void hold(String worker) {
        held.add(worker);
    }

    /** Lets the worker with a name go on. */
    public void release(String worker) {
        held.remove(worker);
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
            return held.contains(name) ? now + RETRY_NANOS : duty.run(now + shift) - shift;
        });
        workers.add(worker);
        return worker;
    }
}
