package org.railyard.lab.check;

import java.util.List;

/**
 * What a checker found.
 *
 * @param checker its name
 * @param timeNanos when, ns of virtual time
 * @param text what was found and what was expected
 * @param journal the last entries before it
 */
public record Violation(String checker, long timeNanos, String text, List<String> journal) {
    /** Copies the list. */
    public Violation {
        journal = List.copyOf(journal);
    }
}
