package org.railyard.verbs;

/**
 * Runs callbacks one after the other (spec 23 sv-001). {@link #execute}, {@link #call}, {@link #schedule} and {@link
 * #isInLoop} may be called from any thread.
 */
public interface EventLoop extends AutoCloseable {
    /** Runs a task in this loop, soon, after those that were handed over before; never within the call. */
    void execute(Runnable task);

    /**
     * Runs a task in this loop and waits until it has run; at once if the caller runs in this loop.
     *
     * @throws IllegalStateException if the loop has ended
     */
    void call(Runnable task);

    /**
     * Runs a task in this loop after some time.
     *
     * @param delayNanos how long to wait, ns, from 0
     */
    LoopTimer schedule(long delayNanos, Runnable task);

    /** Tells whether the caller runs in this loop. */
    boolean isInLoop();

    /** Ends the loop: no task and no callback begins any more. */
    @Override
    void close();
}
