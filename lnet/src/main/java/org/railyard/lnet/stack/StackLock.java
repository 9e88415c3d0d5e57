package org.railyard.lnet.stack;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lock that guards the state of a node. Held for fractions of a microsecond, never across I/O or a handler; so a
 * thread that finds it taken spins a little before it sleeps.
 */
public final class StackLock {
    private static final int SPINS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition delivered = lock.newCondition();

    StackLock() {}

    /** Takes the lock. */
    public void lock() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    /** Gives the lock back. */
    public void unlock() {
        lock.unlock();
    }

    /**
     * Waits, with the lock released meanwhile, until something is true; {@link #signal} tells that it may have become
     * so.
     */
    void awaitUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            delivered.awaitUninterruptibly();
        }
    }

    /** Wakes all that wait. */
    void signal() {
        if (lock.hasWaiters(delivered)) {
            delivered.signalAll();
        }
    }
}
