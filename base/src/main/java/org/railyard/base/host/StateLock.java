package org.railyard.base.host;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A lock that guards state in memory. It is held for fractions of a microsecond, never across I/O or a call into other
 * code; so a thread that finds it taken spins a little before it sleeps.
 *
 * <p>A field that it guards says so with {@code @GuardedBy}, which the compiler checks. A method that is called with
 * the lock held begins with {@link #assertHeld}, which costs nothing while assertions are off.
 */
public final class StateLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    private static final int SPINS = 64;

    private final transient Condition changed = newCondition();

    /** How often it was taken; written by the thread that holds it. */
    private transient long takings;

    /** Makes a lock that nobody holds. */
    public StateLock() {}

    @Override
    public void lock() {
        for (int i = 0; i < SPINS; i++) {
            if (tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        super.lock();
        takings++;
    }

    @Override
    public boolean tryLock() {
        boolean taken = super.tryLock();
        if (taken) {
            takings++;
        }
        return taken;
    }

    /**
     * Returns a number that tells the times apart that the lock was held, from 1 on: it changes whenever the lock is
     * taken, and when it was released in {@link #awaitUntil}. The calling thread holds the lock.
     */
    public long takings() {
        assertHeld();
        return takings;
    }

    /**
     * Asserts that the calling thread holds the lock. No effect while assertions are off.
     *
     * @throws AssertionError if it does not
     */
    public void assertHeld() {
        assert isHeldByCurrentThread() : "needs the lock, which the calling thread does not hold";
    }

    /**
     * Waits, with the lock released meanwhile, until something is true; {@link #signal} tells that it may have become
     * so. The calling thread holds the lock.
     */
    public void awaitUntil(BooleanSupplier condition) {
        assertHeld();
        while (!condition.getAsBoolean()) {
            changed.awaitUninterruptibly();
            takings++;
        }
    }

    /** Wakes all that wait in {@link #awaitUntil}. The calling thread holds the lock. */
    public void signal() {
        assertHeld();
        if (hasWaiters(changed)) {
            changed.signalAll();
        }
    }
}
