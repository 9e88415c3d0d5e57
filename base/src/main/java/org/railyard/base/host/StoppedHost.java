package org.railyard.base.host;

import java.util.random.RandomGenerator;

/**
 * A machine on which time stands and no worker ever runs: for nodes that are only asked what they would do.
 * Thread-safe.
 */
public final class StoppedHost implements Host {
    private static final Worker IDLE = new Worker() {
        @Override
        public void wake() {}

        @Override
        public void close() {}
    };

    private static final NodeClock STANDING = new NodeClock() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long wallNanos() {
            // A node counts its life from here, and 0 would be none.
            return 1;
        }
    };

    private final RandomGenerator random;

    /** Makes a machine with a source of chance. */
    public StoppedHost(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public NodeClock clock() {
        return STANDING;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        return IDLE;
    }
}
