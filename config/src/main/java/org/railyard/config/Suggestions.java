package org.railyard.config;

import java.util.Collection;
import java.util.List;
import org.railyard.base.text.Spelling;

/** What somebody may have meant. */
public final class Suggestions {
    private Suggestions() {}

    /** Returns {@code " (did you mean 'x'?)"} for the nearest of some words, or nothing if none is near. */
    public static String hint(String word, Collection<String> known) {
        return Spelling.hint(word, known);
    }

    /** Returns those of some words that are near one, the nearest first. */
    public static List<String> near(String word, Collection<String> known, int most) {
        return Spelling.near(word, known, most);
    }
}
