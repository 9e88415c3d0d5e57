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
        TimelineEvent scheduled = new TimelineEvent(queue, event);
        queue.schedule(scheduled, timeNanos);
        return scheduled;
    }

    private static final class TimelineEvent extends SimEvent implements LoopTimer {
        private final EventQueue queue;
        private final Runnable event;

        TimelineEvent(EventQueue queue, Runnable event) {
            this.queue = queue;
            this.event = event;
        }

        @Override
        protected void run() {
            event.run();
        }

        @Override
        public void cancel() {
            queue.cancel(this);
        }
    }
}
