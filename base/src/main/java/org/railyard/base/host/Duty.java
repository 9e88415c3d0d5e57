package org.railyard.base.host;

/** Work that recurs: run when due or woken, it tells when it wants to run again. */
@FunctionalInterface
public interface Duty {
    /**
     * Does what is due.
     *
     * @param nowNanos the node's monotonic time, ns
     * @return the monotonic time of the next run, ns; it may run earlier when woken
     */
    long run(long nowNanos);
}
