package org.railyard.socklnd.peer;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Threads that have taken messages out of a queue and will give each of them back or pass it on; a shutdown waits for
 * them. Thread-safe.
 */
final class InFlightBatches {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    @GuardedBy("this")
    private int underWay;

    /** A thread takes messages. */
    synchronized void begin() {
        underWay++;
    }

    /** It has none of them left. */
    synchronized void end() {
        underWay--;
        notifyAll();
    }

    /** Tells whether a thread is under way. */
    synchronized boolean any() {
        return underWay > 0;
    }

    /** Waits until no thread is under way; false if that takes too long. */
    synchronized boolean awaitNone(long millis) {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        try {
            while (underWay > 0) {
                long left = (end - System.nanoTime()) / NANOS_PER_MILLI;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
