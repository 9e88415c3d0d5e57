package org.railyard.console.node;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.railyard.control.EventsOperation;

/**
 * Listens to what a node tells of itself, in a thread of its own. A daemon that is gone is asked again until it is
 * back; one that can not be followed, too: another may come in its place.
 */
final class EventFollower {
    /** Events from before that are asked for. */
    private static final int LAST = 50;

    /** Time until it is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final NodeLink link;
    private final NodeWatch watch;
    private final Runnable turned;
    private boolean lost;
    private volatile boolean ended;

    /**
     * Makes one.
     *
     * @param turned called when a node that told of itself is gone, and when it tells of itself again
     */
    EventFollower(NodeLink link, NodeWatch watch, Runnable turned) {
        this.link = link;
        this.watch = watch;
        this.turned = turned;
    }

    /** Listens until {@link #end}. */
    void run() {
        EventsOperation.Show which = new EventsOperation.Show(List.of(), null, LAST, null);
        while (!ended) {
            AtomicBoolean told = new AtomicBoolean();
            try {
                link.follow(which, document -> take(document, told));
            } catch (NodeException e) {
                if (e.hasAnswered()) {
                    watch.canNotFollow();
                }
            } catch (InterruptedException e) {
                return;
            }
            if (told.get()) {
                lost = true;
                turned.run();
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private boolean take(Map<String, Object> document, AtomicBoolean told) {
        told.set(true);
        if (lost) {
            lost = false;
            turned.run();
        }
        watch.happened(document);
        return !ended;
    }

    /** Says that it shall not go on; its thread has to be interrupted, too. */
    void end() {
        ended = true;
    }
}
