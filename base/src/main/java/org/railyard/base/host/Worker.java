package org.railyard.base.host;

/**
 * Runs one {@link Duty}, never twice at once. In a daemon it is a thread, in a simulation a series of events.
 * Thread-safe.
 */
public interface Worker extends AutoCloseable {
    /** Makes the duty run soon, whatever time it asked for. */
    void wake();

    /**
     * Ends it; when this returns, the duty does not run and will not run again, unless the duty itself is the caller.
     */
    @Override
    void close();
}
