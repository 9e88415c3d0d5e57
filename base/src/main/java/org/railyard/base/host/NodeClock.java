package org.railyard.base.host;

/** The time of a node. Real in a daemon, virtual in a simulation. Thread-safe. */
public interface NodeClock {
    /** Returns monotonic time, ns. Only differences mean something. */
    long nanoTime();

    /** Returns wall-clock time, ns since 1970-01-01T00:00Z. */
    long wallNanos();
}
