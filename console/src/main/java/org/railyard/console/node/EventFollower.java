package org.railyard.console.node;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    private volatile boolean ended;

    EventFollower(NodeLink link, NodeWatch watch) {
        this.link = link;
        this.watch = watch;
    }

    /** Listens until {@link #end}. */
    void run() {
        EventsOperation.Show which = new EventsOperation.Show(List.of(), null, LAST, null);
        while (!ended) {
            try {
                link.follow(which, this::take);
            } catch (NodeException e) {
                if (e.hasAnswered()) {
                    watch.canNotFollow();
                }
            } catch (InterruptedException e) {
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private boolean take(Map<String, Object> document) {
        watch.happened(document);
        return !ended;
    }

    /** Says that it shall not go on; its thread has to be interrupted, too. */
    void end() {
        ended = true;
    }
}
