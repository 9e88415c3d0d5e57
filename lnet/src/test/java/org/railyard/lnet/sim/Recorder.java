package org.railyard.lnet.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;

/** Keeps the events of a memory descriptor. */
public final class Recorder implements EventHandler {
    private final List<Event> events = new ArrayList<>();
    private Consumer<Event> then = event -> {};

    /** Does something more with each event. */
    public Recorder then(Consumer<Event> action) {
        then = action;
        return this;
    }

    @Override
    public void onEvent(Event event) {
        events.add(event.snapshot());
        then.accept(event);
    }

    /** Returns the events so far. */
    public List<Event> events() {
        return events;
    }

    /** Returns the only event of a kind. */
    public Event only(EventKind kind) {
        List<Event> found = events.stream().filter(e -> e.kind() == kind).toList();
        if (found.size() != 1) {
            throw new AssertionError("expected one " + kind + ", found " + lines());
        }
        return found.getFirst();
    }

    /** Returns the events so far, a word each: kind, error if any, {@code !} if it is the last of its descriptor. */
    public List<String> lines() {
        return events.stream()
                .map(e ->
                        e.kind() + (e.status() < 0 ? " " + Errno.ofStatus(e.status()) : "") + (e.unlinked() ? "!" : ""))
                .toList();
    }

    /** Forgets the events so far. */
    public void clear() {
        events.clear();
    }
}
