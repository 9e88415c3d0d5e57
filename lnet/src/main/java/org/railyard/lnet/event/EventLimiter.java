package org.railyard.lnet.event;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.NodeListener;
import org.railyard.lnet.nid.Nid;

/**
 * Keeps what repeats from flooding a listener. The first event of a kind between two NIs is told at once; what follows
 * within {@link #INTERVAL_NANOS} is told once, when that time is over, with the last values and how many it stands for,
 * in the order in which they last happened. So the last event that is told is how things stand.
 */
public final class EventLimiter {
    /** How long one event stands for all like it, ns. */
    public static final long INTERVAL_NANOS = 1_000_000_000L;

    /** Most kinds of events and NIs that are kept apart in that time; what is more is told without NIDs. */
    public static final int MAX_TOPICS = 256;

    /** What is kept apart. One that looks others up is used again: what repeats at full speed allocates nothing. */
    private static final class Topic {
        private NodeEventKind kind = NodeEventKind.NI_ADDED;
        private Nid nid = Nid.ANY;
        private Nid other = Nid.ANY;

        private Topic set(NodeEventKind newKind, Nid newNid, Nid newOther) {
            kind = newKind;
            nid = newNid;
            other = newOther;
            return this;
        }

        @Override
        public boolean equals(@Nullable Object o) {
            return o instanceof Topic topic && topic.kind == kind && topic.nid.equals(nid) && topic.other.equals(other);
        }

        @Override
        public int hashCode() {
            return (kind.ordinal() * PRIME + nid.hashCode()) * PRIME + other.hashCode();
        }
    }

    /** What was not told yet. */
    private static final class Held {
        private long told;
        private int count;
        private long order;
        private long wallNanos;
        private int before;
        private int now;
        private String detail = "";

        private Held(long told) {
            this.told = told;
        }
    }

    private static final int PRIME = 31;

    private final NodeClock clock;
    private final NodeListener listener;
    private final Topic sought = new Topic();
    private final Map<Topic, Held> topics = new LinkedHashMap<>();
    private long order;

    EventLimiter(NodeClock clock, NodeListener listener) {
        this.clock = clock;
        this.listener = listener;
    }

    void add(NodeEventKind kind, Nid nid, Nid other, int before, int now, String detail) {
        Held held = topics.get(sought.set(kind, nid, other));
        if (held != null) {
            hold(held, before, now, detail);
        } else if (topics.size() < MAX_TOPICS) {
            topics.put(new Topic().set(kind, nid, other), new Held(clock.nanoTime()));
            listener.happened(new NodeEvent(clock.wallNanos(), kind, nid, other, before, now, detail, 1));
        } else {
            hold(rest(kind), 0, 0, "");
        }
    }

    private Held rest(NodeEventKind kind) {
        Held held = topics.get(sought.set(kind, Nid.ANY, Nid.ANY));
        if (held == null) {
            held = new Held(clock.nanoTime());
            topics.put(new Topic().set(kind, Nid.ANY, Nid.ANY), held);
        }
        return held;
    }

    private void hold(Held held, int before, int now, String detail) {
        if (held.count == 0) {
            held.before = before;
        }
        if (held.count < Integer.MAX_VALUE) {
            held.count++;
        }
        held.order = ++order;
        held.wallNanos = clock.wallNanos();
        held.now = now;
        held.detail = detail;
    }

    /** Tells what was held for long enough, and forgets what did not come again. */
    void settle() {
        long time = clock.nanoTime();
        List<Map.Entry<Topic, Held>> due = new ArrayList<>();
        topics.entrySet().removeIf(each -> {
            boolean over = time - each.getValue().told >= INTERVAL_NANOS;
            if (over && each.getValue().count > 0) {
                due.add(Map.entry(each.getKey(), each.getValue()));
                return false;
            }
            return over;
        });
        due.sort(Comparator.comparingLong(each -> each.getValue().order));
        due.forEach(each -> release(each.getKey(), each.getValue(), time));
    }

    private void release(Topic topic, Held held, long time) {
        listener.happened(new NodeEvent(
                held.wallNanos, topic.kind, topic.nid, topic.other, held.before, held.now, held.detail, held.count));
        held.count = 0;
        held.told = time;
    }
}
