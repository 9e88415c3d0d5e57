package org.railyard.lnet.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * Keeps the last events of a node, or of several one after another, for any number of readers. Each has its own place
 * in it; one that is too slow loses the oldest, and is told how many. Thread-safe.
 */
public final class EventRing implements NodeListener {
    /** Most events that are kept. */
    public static final int MAX_EVENTS = 1024;

    /** Most that are woken at a new event. */
    public static final int MAX_WATCHERS = 32;

    private final NodeEvent[] kept = new NodeEvent[MAX_EVENTS];

    @GuardedBy("kept")
    private long last;

    @GuardedBy("kept")
    private final Set<Runnable> watchers = new LinkedHashSet<>();

    /** Makes an empty one. */
    public EventRing() {}

    /**
     * An event with its number.
     *
     * @param number from 1, without gaps
     */
    public record Numbered(long number, NodeEvent event) {}

    /**
     * Some events that follow each other.
     *
     * @param events oldest first
     * @param lost how many came before them, behind the place that was asked for, and are kept no more
     * @param last number of the last event that there is, returned or not; 0 if there never was one
     */
    public record Batch(List<Numbered> events, long lost, long last) {}

    @Override
    public void happened(NodeEvent event) {
        synchronized (kept) {
            last++;
            kept[place(last)] = event;
            watchers.forEach(Runnable::run);
        }
    }

    private static int place(long number) {
        return (int) (number % MAX_EVENTS);
    }

    /** Returns the number of the last event, 0 if there never was one. */
    public long last() {
        synchronized (kept) {
            return last;
        }
    }

    /**
     * Returns events.
     *
     * @param after number of the last event that is known already; 0 for none
     * @param most how many at most, 1 or more
     */
    public Batch read(long after, int most) {
        synchronized (kept) {
            // A number above the last is one of another daemon.
            long known = Math.clamp(after, 0, last);
            long first = Math.max(known, last - MAX_EVENTS) + 1;
            long lost = first - known - 1;
            List<Numbered> events = new ArrayList<>();
            for (long number = first; number <= last && events.size() < most; number++) {
                events.add(new Numbered(number, kept[place(number)]));
            }
            return new Batch(events, lost, last);
        }
    }

    /**
     * Wakes somebody at each new event from now on.
     *
     * @param watcher called under a node's lock: only wakes a thread
     * @throws ErrnoException EBUSY at {@link #MAX_WATCHERS}
     */
    public void watch(Runnable watcher) {
        synchronized (kept) {
            if (watchers.size() >= MAX_WATCHERS) {
                throw new ErrnoException(
                        Errno.EBUSY,
                        MAX_WATCHERS + " readers follow the events of this node; end one before another begins");
            }
            watchers.add(watcher);
        }
    }

    /** Wakes somebody no more. */
    public void unwatch(Runnable watcher) {
        synchronized (kept) {
            watchers.remove(watcher);
        }
    }
}
