package org.railyard.lab.check;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.JournalKind;

/** Where checkers put what they find. Belongs to the thread of its run. */
public final class Violations {
    /** Most violations that are kept; what comes after them is mostly their consequence. */
    public static final int MAX_KEPT = 16;

    private final EventQueue queue;
    private final Journal journal;
    private final List<Violation> kept = new ArrayList<>();

    /** Makes an empty list. */
    public Violations(EventQueue queue, Journal journal) {
        this.queue = queue;
        this.journal = journal;
    }

    /** Adds what a checker found. */
    public void add(String checker, String text) {
        if (kept.size() < MAX_KEPT) {
            kept.add(new Violation(checker, queue.now(), text, journal.last()));
            journal.note(null, JournalKind.VIOLATION, checker + ": " + text);
        }
    }

    /** Tells whether there is room for more. */
    public boolean isFull() {
        return kept.size() >= MAX_KEPT;
    }

    /** Returns what was found, the first first. */
    public List<Violation> all() {
        return List.copyOf(kept);
    }
}
