package org.railyard.softverbs.time;

import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.card.CardScheduler;

/**
 * Virtual time: events come in the order of their times, and at the same time in the order in which they were
 * scheduled. Whoever runs a simulation provides one; {@link VirtualTime} is one that stands alone.
 */
public interface Timeline extends CardScheduler {
    /** Returns the time, ns; it does not change during an event. */
    @Override
    long now();

    /**
     * Schedules an event.
     *
     * @param timeNanos when; the past counts as now
     * @return cancels it, if it has not come
     */
    LoopTimer at(long timeNanos, Runnable event);

    @Override
    default LoopTimer schedule(long delayNanos, Runnable event) {
        return at(now() + delayNanos, event);
    }
}
