package org.railyard.verbs.card;

import org.railyard.verbs.LoopTimer;

/** The time of a software card, real or virtual, and what is to happen later in it. For one thread. */
public interface CardScheduler {
    /** Returns the time, ns. Only differences mean something. */
    long now();

    /**
     * Runs a task later, outside any loop.
     *
     * @param delayNanos how long to wait, ns, from 0
     */
    LoopTimer schedule(long delayNanos, Runnable task);
}
