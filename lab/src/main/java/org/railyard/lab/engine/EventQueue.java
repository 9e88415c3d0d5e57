package org.railyard.lab.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run in the order in which they happen: by time, and at the same time in the order in which they were
 * scheduled. Virtual time starts at 0 and stands still while an event happens. Not thread-safe: a run has one thread.
 */
public final class EventQueue {
    /** Most events that may wait at a time. */
    public static final int MAX_EVENTS = 1 << 24;

    private static final int ARITY = 4;

    private SimEvent[] heap = new SimEvent[1024];
    private int size;

    /**
     * Those that were scheduled for the present: they come when those of the heap at this time, all of which were
     * scheduled before, have happened. What loops do next needs no heap.
     */
    private final PresentEvents present = new PresentEvents();

    private long now;
    private long orders;
    private long happened;

    /** Makes an empty queue at time 0. */
    public EventQueue() {}

    /** Returns virtual time, ns since the start of the run. */
    public long now() {
        return now;
    }

    /** Returns how many events have happened. */
    public long happened() {
        return happened;
    }

    /**
     * Schedules an event, or moves it to another time.
     *
     * @param event the event
     * @param time when, ns of virtual time; the past counts as now
     * @throws IllegalStateException at {@link #MAX_EVENTS}
     */
    public void schedule(SimEvent event, long time) {
        if (time <= now) {
            cancel(event);
            checkRoom();
            event.time = now;
            present.add(event);
            return;
        }
        present.remove(event);
        if (event.place == SimEvent.NOT_QUEUED) {
            checkRoom();
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            event.place = size++;
        }
        event.time = time;
        event.order = orders++;
        settle(event, event.place);
    }

    private void checkRoom() {
        if (size + present.count() >= MAX_EVENTS) {
            throw new IllegalStateException(
                    MAX_EVENTS + " events wait at virtual time " + now + " ns; the scenario is too large");
        }
    }

    /** Schedules a call; for what happens rarely, since it makes an object each time. */
    public void at(long time, Runnable call) {
        schedule(
                new SimEvent() {
                    @Override
                    protected void run() {
                        call.run();
                    }
                },
                time);
    }

    /** Takes an event back; no effect if it is not scheduled. */
    public void cancel(SimEvent event) {
        int place = event.place;
        if (place == SimEvent.NOT_QUEUED || present.remove(event)) {
            return;
        }
        event.place = SimEvent.NOT_QUEUED;
        SimEvent last = heap[--size];
        heap[size] = null;
        if (last != event) {
            settle(last, place);
        }
    }

    private void settle(SimEvent event, int place) {
        if (!siftUp(event, place)) {
            siftDown(event, place);
        }
    }

    /**
     * Lets the next event happen, if it is due.
     *
     * @param until the last moment to look at, ns
     * @return false if nothing happens up to then; time is {@code until} in that case
     */
    public boolean runNext(long until) {
        SimEvent event = next(until);
        if (event == null) {
            now = Math.max(now, until);
            return false;
        }
        now = event.time;
        happened++;
        event.run();
        return true;
    }

    private @Nullable SimEvent next(long until) {
        if (present.count() > 0 && (size == 0 || heap[0].time > now)) {
            return until < now ? null : present.takeFirst();
        }
        if (size == 0 || heap[0].time > until) {
            return null;
        }
        SimEvent event = heap[0];
        takeFirst(event);
        return event;
    }

    private void takeFirst(SimEvent event) {
        event.place = SimEvent.NOT_QUEUED;
        SimEvent last = heap[--size];
        heap[size] = null;
        if (size > 0) {
            siftDown(last, 0);
        }
    }

    /** Moves an event up to its place from one that is its own or free; false if it has to go down, if anywhere. */
    private boolean siftUp(SimEvent event, int from) {
        SimEvent[] all = heap;
        long time = event.time;
        long order = event.order;
        int place = from;
        while (place > 0) {
            int parent = (place - 1) / ARITY;
            SimEvent above = all[parent];
            if (above.time < time || above.time == time && above.order < order) {
                break;
            }
            all[place] = above;
            above.place = place;
            place = parent;
        }
        all[place] = event;
        event.place = place;
        return place != from;
    }

    /** Moves an event down to its place from one that is its own or free. */
    private void siftDown(SimEvent event, int from) {
        SimEvent[] all = heap;
        int count = size;
        long time = event.time;
        long order = event.order;
        int place = from;
        for (int first = from * ARITY + 1; first < count; first = place * ARITY + 1) {
            // Compared here and not by a method: this is where a run of small messages spends most.
            int best = first;
            SimEvent below = all[first];
            int end = Math.min(first + ARITY, count);
            for (int child = first + 1; child < end; child++) {
                SimEvent each = all[child];
                if (each.time < below.time || each.time == below.time && each.order < below.order) {
                    best = child;
                    below = each;
                }
            }
            if (time < below.time || time == below.time && order < below.order) {
                break;
            }
            all[place] = below;
            below.place = place;
            place = best;
        }
        all[place] = event;
        event.place = place;
    }
}
