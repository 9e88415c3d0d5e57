package org.railyard.lab.engine;

/**
 * Something that happens at a moment of virtual time. May be used again once it has happened. Belongs to one {@link
 * EventQueue}'s thread.
 */
public abstract class SimEvent {
    static final int NOT_QUEUED = -1;

    long time;
    long order;
    int place = NOT_QUEUED;

    /** Makes an event that is not scheduled. */
    protected SimEvent() {}

    /** Tells whether it is waiting to happen. */
    public final boolean isScheduled() {
        return place != NOT_QUEUED;
    }

    /** Returns when it is to happen, ns of virtual time; only means something while it is scheduled. */
    public final long time() {
        return time;
    }

    /** Happens. It is not scheduled any more and may schedule itself again. */
    protected abstract void run();
}
