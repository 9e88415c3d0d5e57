package org.railyard.mad.transport;

/**
 * Where all callbacks of a transport run, one after the other: received MADs, timers, and what is handed over. What
 * runs here needs no lock. {@link #execute} may be called from any thread, the rest from tasks of the loop only.
 */
public interface MadLoop {
    /** Returns monotonic time, ns; virtual in a simulation. Any thread may ask. */
    long nanoTime();

    /** Runs a task in the loop, soon, after those that were handed over before; never within the call. */
    void execute(Runnable task);

    /**
     * Runs a task in the loop after some time.
     *
     * @param delayNanos from 0
     * @return what cancels it, unless it has run
     */
    Runnable schedule(long delayNanos, Runnable task);
}
