package org.railyard.lab.fabric;

import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.SimEvent;
import org.railyard.softverbs.Timeline;

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
    public Cancel at(long timeNanos, Runnable happening) {
        Happening event = new Happening(happening);
        queue.schedule(event, timeNanos);
        return () -> queue.cancel(event);
    }

    private static final class Happening extends SimEvent {
        private final Runnable happening;

        Happening(Runnable happening) {
            this.happening = happening;
        }

        @Override
        protected void run() {
            happening.run();
        }
    }
}
