package org.railyard.verbs;

/** The time of a provider: real or virtual. Thread-safe. */
@FunctionalInterface
public interface VerbsClock {
    /** Returns monotonic time, ns. Only differences mean something. */
    long nanoTime();
}
