package org.railyard.lab.fabric;

import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimEvent;
import org.railyard.softverbs.time.Timeline;
import org.railyard.verbs.LoopTimer;

/** The virtual time of a run, as simulated cards see it. Belongs to the thread of its run. */
final class QueueTimeline implements Timeline {
    private final EventQueue queue;

    QueueTimeline(EventQueue queue) {
        this.queue = queue;
    }

    @Override
    public long now() {
        return queue.now();
    }

    @Override
    public LoopTimer at(long timeNanos, Runnable event) {
        TimelineEvent scheduled = new TimelineEvent(event);
        queue.schedule(scheduled, timeNanos);
        return () -> queue.cancel(scheduled);
    }

    private static final class TimelineEvent extends SimEvent {
        private final Runnable event;

        TimelineEvent(Runnable event) {
            this.event = event;
        }

        @Override
        protected void run() {
            event.run();
        }
    }
}
