package org.railyard.softverbs;

/**
 * Virtual time: things happen in the order of their times, and at the same time in the order in which they were asked
 * for. Whoever runs a simulation provides one; {@link VirtualTime} is one that stands alone.
 */
public interface Timeline {
    /** Returns the time, ns; it does not change while something happens. */
    long now();

    /**
     * Lets something happen.
     *
     * @param timeNanos when; the past counts as now
     * @return takes it back, if it has not happened
     */
    Cancel at(long timeNanos, Runnable happening);

    /** Takes a happening back. */
    @FunctionalInterface
    interface Cancel {
        /** Takes it back; no effect if it has happened. */
        void cancel();
    }
}
