package org.railyard.base.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the word that somebody may have meant. */
public final class Spelling {
    private static final int MAX_LENGTH = 64;

    /** A word of so many letters may be the start of the one that was meant. */
    private static final int MIN_START = 3;

    private Spelling() {}

    /** Returns {@code " (did you mean 'x'?)"} for the nearest of some words, or nothing if none is near. */
    public static String hint(String word, Collection<String> known) {
        List<String> nearest = near(word, known, 1);
        return nearest.isEmpty() ? "" : " (did you mean '" + nearest.getFirst() + "'?)";
    }

    /** Returns those of some words that are near one, the nearest first. */
    public static List<String> near(String word, Collection<String> known, int most) {
        int limit = Math.max(2, word.length() / 3);
        if (word.length() > MAX_LENGTH) {
            return List.of();
        }
        String simple = simple(word);
        Map<String, Integer> distances = new LinkedHashMap<>();
        known.forEach(each -> distances.put(each, between(simple, simple(each))));
        return known.stream()
                .distinct()
                .filter(each -> distances.getOrDefault(each, MAX_LENGTH) <= limit)
                .sorted(Comparator.comparing(each -> distances.getOrDefault(each, MAX_LENGTH)))
                .limit(most)
                .toList();
    }

    /** Blanks, underscores, dashes and case are the most common differences. */
    private static String simple(String word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = Character.toLowerCase(word.charAt(i));
            if (c != ' ' && c != '_' && c != '-') {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static int between(String word, String known) {
        return word.length() >= MIN_START && known.startsWith(word) ? 1 : distance(word, known);
    }

    /** Returns how many letters have to be changed, added or taken away. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
