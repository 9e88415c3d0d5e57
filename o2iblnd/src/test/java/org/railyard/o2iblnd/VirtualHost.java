package org.railyard.o2iblnd;

import java.util.random.RandomGenerator;
import org.railyard.lnet.host.Duty;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.host.NodeClock;
import org.railyard.lnet.host.Worker;
import org.railyard.softverbs.VirtualTime;

/** A machine in virtual time without workers: the transport needs none. */
final class VirtualHost implements Host, NodeClock {
    private final VirtualTime time;
    private final RandomGenerator random;
    private final long wallStart;

    VirtualHost(VirtualTime time, RandomGenerator random, long wallStart) {
        this.time = time;
        this.random = random;
        this.wallStart = wallStart;
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
        throw new UnsupportedOperationException("no workers: " + name);
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
