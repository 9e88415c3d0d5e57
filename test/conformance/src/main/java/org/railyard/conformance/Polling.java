package org.railyard.conformance;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How fixtures in real time wait: they look again and again, up to a limit. */
public final class Polling {
    private Polling() {}

    /**
     * Waits for a condition.
     *
     * @param limitNanos so long at most, ns
     * @param lookNanos pause between two looks, ns
     * @param between is run after each pause
     * @return false if it did not come true in time
     */
    public static boolean until(BooleanSupplier condition, long limitNanos, long lookNanos, Runnable between) {
        long end = System.nanoTime() + limitNanos;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(lookNanos);
            between.run();
        }
        return true;
    }

    /** The same with nothing to run between. */
    public static boolean until(BooleanSupplier condition, long limitNanos, long lookNanos) {
        return until(condition, limitNanos, lookNanos, () -> {});
    }
}
