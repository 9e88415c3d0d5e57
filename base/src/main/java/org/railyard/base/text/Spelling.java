package org.railyard.base.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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
        // Two changes make any short word of any other.
        int limit = word.length() <= MIN_START ? 1 : Math.max(2, word.length() / 3);
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

    /** Returns how many letters have to be changed, added, taken away, or swapped with the next one. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int[] next = new int[row.length];
            next[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = row[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                next[j] = Math.min(change, Math.min(row[j], next[j - 1]) + 1);
                if (isSwapped(one, i, other, j)) {
                    next[j] = Math.min(next[j], before[j - 2] + 1);
                }
            }
            before = row;
            row = next;
        }
        return row[other.length()];
    }

    /** Tells whether the two letters before a place are those before a place of the other, the other way round. */
    private static boolean isSwapped(String one, int i, String other, int j) {
        return i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
    }
}
