package org.railyard.host;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.railyard.lnet.host.Duty;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.host.NodeClock;
import org.railyard.lnet.host.Worker;

/** The machine as it is: its clock, its chance, a daemon thread per worker. Thread-safe. */
public final class RealHost implements Host {
    private static final NodeClock CLOCK = new NodeClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallNanos() {
            Instant now = Instant.now();
            return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
        }
    };

    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    /** Makes a host. */
    public RealHost() {}

    @Override
    public NodeClock clock() {
        return CLOCK;
    }

    @Override
    public RandomGenerator random() {
        return RANDOM;
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        ThreadWorker worker = new ThreadWorker(name, duty, CLOCK);
        worker.start();
        return worker;
    }
}
