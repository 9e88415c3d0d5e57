package org.railyard.socklnd;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions that other threads bring about. */
final class Await {
    private static final long DEADLINE_NANOS = 20_000_000_000L;

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("did not happen: " + what);
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
