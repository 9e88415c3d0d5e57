package org.railyard.console.node;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.console.node.Changes.Change;
import org.railyard.console.web.EventHub;
import org.railyard.console.web.LiveEvent;
import org.railyard.control.StatsOperation;
import org.railyard.control.figures.Rated;
import org.railyard.control.figures.Reading;

/**
 * Reads a node again and again, keeps the last readings, and tells pages what is new. A node that is gone is asked on,
 * until it is back. Its state changes only inside of {@link EventHub#publish}, which is also when it is looked at.
 */
final class NodeWatch {
    /** Most readings that are kept for plots. */
    static final int MAX_POINTS = 300;

    /** Most events that are kept. */
    static final int MAX_CHANGES = 200;

    /** A node is left alone at least so many times as long as it took to answer. */
    private static final int REST = 9;

    private final int number;
    private final String name;
    private final NodeLink link;
    private final EventHub hub;
    private final InstantSource time;

    private final Deque<LiveEvent> points = new ArrayDeque<>();
    private final Deque<LiveEvent> changes = new ArrayDeque<>();
    private @Nullable Reading before;
    private List<Rated> nis = List.of();
    private List<Rated> peers = List.of();
    private Map<String, List<@Nullable Object>> peerRows = Map.of();
    private long more;
    private boolean tellsEvents;
    private long lastEvent;
    private Instant lastTime = Instant.MIN;
    private State state;

    /** How a node is reached. */
    private enum Reach {
        /** It was not asked yet. */
        UNKNOWN,
        /** It answers. */
        UP,
        /** The daemon is there, and has no figures. */
        REFUSES,
        /** Nobody answers. */
        GONE
    }

    private record State(Reach reach, String why, long since) {
        boolean isSame(Reach other, String reason) {
            return reach == other && why.equals(reason);
        }
    }

    NodeWatch(int number, String name, NodeLink link, EventHub hub, InstantSource time) {
        this.number = number;
        this.name = name;
        this.link = link;
        this.hub = hub;
        this.time = time;
        this.state = new State(Reach.UNKNOWN, "", time.millis());
        hub.add(this::standing);
    }

    /** Returns how long to leave a node alone that took some time to answer. */
    static Duration rest(Duration interval, Duration took) {
        Duration enough = took.multipliedBy(REST);
        return enough.compareTo(interval) > 0 ? enough : interval;
    }

    /** Asks once. */
    void read() {
        try {
            Reading reading = Reading.of(link.ask(new StatsOperation.Sample()));
            hub.publish(() -> take(reading));
        } catch (NodeException e) {
            hub.publish(() -> miss(e.hasAnswered() ? Reach.REFUSES : Reach.GONE, e.text()));
        } catch (IllegalArgumentException e) {
            hub.publish(() -> miss(Reach.REFUSES, String.valueOf(e.getMessage())));
        }
    }

    /** The node tells something of itself: an event, or how many there were or are missing. */
    void happened(Map<String, Object> document) {
        hub.publish(() -> tell(document));
    }

    /** The node answers, and does not tell its events: what changes between readings has to do. */
    void canNotFollow() {
        hub.publish(() -> {
            tellsEvents = false;
            return List.of();
        });
    }

    private List<LiveEvent> tell(Map<String, Object> document) {
        tellsEvents = true;
        if (document.get("lost") instanceof Number lost) {
            return List.of(keep(new Change(true, lost + " events came too fast to be told")));
        }
        if (!(document.get("text") instanceof String text)
                || !(document.get("number") instanceof Number counted)
                || !(document.get("time") instanceof String when)) {
            return List.of();
        }
        Instant at = instant(when);
        // After a break the daemon tells the last ones once more; a new daemon counts from 1, at a later time.
        if (counted.longValue() <= lastEvent && !at.isAfter(lastTime)) {
            return List.of();
        }
        lastEvent = counted.longValue();
        lastTime = at;
        return List.of(keep(at.toEpochMilli(), new Change(Boolean.TRUE.equals(document.get("bad")), text)));
    }

    private Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return time.instant();
        }
    }

    private List<LiveEvent> take(Reading reading) {
        List<LiveEvent> events = new ArrayList<>();
        List<Rated> nisNow = Rated.all(before, reading, Reading::nis);
        List<Rated> peersNow = Rated.all(before, reading, Reading::peerNis);
        boolean first = before == null;
        if (state.reach() != Reach.UP) {
            if (state.reach() != Reach.UNKNOWN) {
                events.add(keep(new Change(false, "lnetd answers again")));
            }
            events.add(enter(Reach.UP, ""));
        }
        if (!first && !tellsEvents) {
            Changes.between(nis, nisNow, peers, peersNow).forEach(each -> events.add(keep(each)));
        }
        Map<String, List<@Nullable Object>> rowsNow = Rows.byKey(peersNow);
        List<Object> changed = Rows.changed(peerRows, rowsNow);
        List<String> gone = Rows.gone(peerRows, rowsNow);
        if (first || !changed.isEmpty() || !gone.isEmpty() || more != reading.more()) {
            events.add(peers(false, changed, gone, reading.more()));
        }
        before = reading;
        nis = nisNow;
        peers = peersNow;
        peerRows = rowsNow;
        more = reading.more();
        events.add(point(new Doc()
                .put("node", number)
                .put("at", time.millis())
                .put("nis", nisNow.stream().map(Rows::of).toList())));
        return events;
    }

    private List<LiveEvent> miss(Reach reach, String why) {
        if (state.isSame(reach, why)) {
            return List.of();
        }
        List<LiveEvent> events = new ArrayList<>();
        if (state.reach() == Reach.UP) {
            events.add(keep(new Change(true, why)));
            // A gap in the plots.
            events.add(point(new Doc().put("node", number).put("at", time.millis())));
        }
        // Counters of a daemon that was started anew begin at 0: nothing is to be said of the time between.
        before = null;
        events.add(enter(reach, why));
        return events;
    }

    private LiveEvent enter(Reach reach, String why) {
        state = new State(reach, why, time.millis());
        return stateEvent();
    }

    private LiveEvent stateEvent() {
        return LiveEvent.of(
                "state",
                new Doc()
                        .put("node", number)
                        .put("name", name)
                        .put("reach", state.reach().name())
                        .put("why", state.why())
                        .put("since", state.since())
                        .map());
    }

    private LiveEvent point(Doc document) {
        LiveEvent event = LiveEvent.of("nis", document.map());
        bounded(points, event, MAX_POINTS);
        return event;
    }

    private LiveEvent keep(Change change) {
        return keep(time.millis(), change);
    }

    private LiveEvent keep(long at, Change change) {
        LiveEvent event = LiveEvent.of(
                "change",
                new Doc()
                        .put("node", number)
                        .put("at", at)
                        .put("bad", change.bad())
                        .put("text", change.text())
                        .map());
        bounded(changes, event, MAX_CHANGES);
        return event;
    }

    private static void bounded(Deque<LiveEvent> kept, LiveEvent event, int limit) {
        if (kept.size() == limit) {
            kept.removeFirst();
        }
        kept.addLast(event);
    }

    private LiveEvent peers(boolean all, List<?> rows, List<String> gone, long left) {
        return LiveEvent.of(
                "peers",
                new Doc()
                        .put("node", number)
                        .put("all", all)
                        .put("rows", rows)
                        .put("gone", gone)
                        .put("more", left)
                        .map());
    }

    /** Returns all that a page has to know to begin with. */
    private List<LiveEvent> standing() {
        List<LiveEvent> events = new ArrayList<>();
        events.add(stateEvent());
        events.addAll(points);
        events.addAll(changes);
        events.add(peers(true, List.copyOf(peerRows.values()), List.of(), more));
        return events;
    }
}
