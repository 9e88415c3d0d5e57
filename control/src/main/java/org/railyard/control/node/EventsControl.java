package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.railyard.base.text.Doc;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
import org.railyard.lnet.api.EventRing;

/** What happened to a node, and what happens. */
final class EventsControl {
    /** Events that are looked at at once. */
    private static final int BATCH = 64;

    private final EventRing ring;

    EventsControl(EventRing ring) {
        this.ring = ring;
    }

    Map<String, Object> execute(EventsOperation operation) {
        return switch (operation) {
            case EventsOperation.Show show -> show(show);
        };
    }

    private Map<String, Object> show(EventsOperation.Show show) {
        EventFilter filter = EventFilter.of(show);
        EventRing.Batch all = ring.read(filter.after(), EventRing.MAX_EVENTS);
        List<Map<String, Object>> events = new ArrayList<>();
        for (EventRing.Numbered each : all.events()) {
            if (filter.takes(each.event())) {
                events.add(EventText.of(each));
            }
        }
        int skipped = Math.max(0, events.size() - filter.last());
        Doc doc = new Doc().put("events", events.subList(skipped, events.size()));
        if (filter.after() > 0 && all.lost() > 0) {
            doc.put("lost", all.lost());
        }
        return doc.put("last", all.last()).map();
    }

    /**
     * Tells the number of the last event, then the last events, and then others as they happen, each as a document;
     * where some were lost because the reader is too slow, a document with their number.
     */
    void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
        EventFilter filter = EventFilter.of(which);
        Thread reader = Thread.currentThread();
        Runnable wake = () -> LockSupport.unpark(reader);
        ring.watch(wake);
        try {
            long known = begin(filter, to);
            while (known >= 0) {
                EventRing.Batch batch = ring.read(known, BATCH);
                if (batch.events().isEmpty()) {
                    LockSupport.park(ring);
                    if (Thread.interrupted()) {
                        throw new InterruptedException("the reader of events is to end");
                    }
                } else {
                    known = tell(batch, filter, to);
                }
            }
        } finally {
            ring.unwatch(wake);
        }
    }

    /** Tells the last events; returns the number of the last that was looked at, −1 if no more are wanted. */
    private long begin(EventFilter filter, DocumentSink to) throws InterruptedException {
        EventRing.Batch all = ring.read(filter.after(), EventRing.MAX_EVENTS);
        if (!to.take(new Doc().put("last", all.last()).map())) {
            return -1;
        }
        if (filter.after() > 0 && all.lost() > 0 && !to.take(lost(all.lost()))) {
            return -1;
        }
        List<EventRing.Numbered> events =
                all.events().stream().filter(each -> filter.takes(each.event())).toList();
        for (EventRing.Numbered each : events.subList(Math.max(0, events.size() - filter.last()), events.size())) {
            if (!to.take(EventText.of(each))) {
                return -1;
            }
        }
        return all.last();
    }

    private static long tell(EventRing.Batch batch, EventFilter filter, DocumentSink to) throws InterruptedException {
        if (batch.lost() > 0 && !to.take(lost(batch.lost()))) {
            return -1;
        }
        for (EventRing.Numbered each : batch.events()) {
            if (filter.takes(each.event()) && !to.take(EventText.of(each))) {
                return -1;
            }
        }
        return batch.events().getLast().number();
    }

    private static Map<String, Object> lost(long count) {
        return new Doc().put("lost", count).map();
    }
}
