package org.railyard.dlc;

import java.util.Collection;

/** What somebody may have meant. */
public final class Suggestions {
    private Suggestions() {}

    /** Returns {@code " (did you mean 'x'?)"} for the nearest of some words, or nothing if none is near. */
    public static String hint(String word, Collection<String> known) {
        return Spelling.hint(word, known);
    }
}
