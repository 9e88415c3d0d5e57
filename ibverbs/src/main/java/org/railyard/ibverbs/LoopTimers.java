package org.railyard.ibverbs;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.LoopTimer;

/** Tasks of a loop that wait for their time, the earliest first, those of one time in their order. Not thread-safe. */
final class LoopTimers {
    private long sequence;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(LoopTimers::compare);

    private static int compare(Waiting a, Waiting b) {
        // By difference: the clock may begin anywhere.
        int byTime = Long.compare(a.at - b.at, 0);
        return byTime != 0 ? byTime : Long.compare(a.sequence, b.sequence);
    }

    /** A task. */
    static final class Waiting implements LoopTimer {
        private final long at;
        private final Runnable task;
        private long sequence;
        private boolean cancelled;

        Waiting(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    void add(Waiting timer) {
        timer.sequence = sequence++;
        waiting.add(timer);
    }

    /** Takes the next task that is due, or null. */
    @Nullable
    Runnable due(long now) {
        for (Waiting first = waiting.peek(); first != null; first = waiting.peek()) {
            if (!first.cancelled && first.at - now > 0) {
                return null;
            }
            waiting.remove();
            if (!first.cancelled) {
                return first.task;
            }
        }
        return null;
    }

    /** Returns how long nothing will be due, ns, at most the given time. */
    long untilNext(long now, long most) {
        Waiting first = waiting.peek();
        return first == null ? most : Math.min(most, Math.max(0, first.at - now));
    }
}
