package org.railyard.fabric.torus.conf;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.format.FormatException;

/** One line of a configuration file, cut into words; every error it throws knows the line and the column. */
final class ConfLine {
    private final int number;
    private final int length;
    private final List<String> words = new ArrayList<>();
    private final List<Integer> columns = new ArrayList<>();

    /** Cuts the line {@code number}, from 1, at blanks, tabs and carriage returns. */
    ConfLine(int number, String text) {
        this.number = number;
        this.length = text.length();
        int at = 0;
        while (at < text.length()) {
            if (isBlank(text.charAt(at))) {
                at++;
                continue;
            }
            int end = at;
            while (end < text.length() && !isBlank(text.charAt(end))) {
                end++;
            }
            words.add(text.substring(at, end));
            columns.add(at + 1);
            at = end;
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    /** Tells whether there is nothing but a comment. */
    boolean isEmpty() {
        return words.isEmpty() || words.getFirst().startsWith("#");
    }

    /** Returns how many words there are before a trailing comment. */
    int words() {
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).startsWith("#")) {
                return i;
            }
        }
        return words.size();
    }

    /** Returns the word at {@code index}, from 0; empty behind the last. */
    String word(int index) {
        return index < words.size() ? words.get(index) : "";
    }

    /** Returns the error that the word at {@code index} is not {@code expected}. */
    FormatException error(int index, String expected) {
        int column = index < words.size() ? columns.get(index) : length + 1;
        return new FormatException(number, column, word(index), expected);
    }

    /**
     * Returns the word at {@code index} as a number in C notation.
     *
     * @throws FormatException if it is none, or out of {@code min} to {@code max}
     */
    int number(int index, int min, int max, String expected) {
        String word = word(index);
        boolean negative = word.startsWith("-");
        boolean signed = negative || word.startsWith("+");
        long value = signed && min >= 0 ? -1 : CNumber.parse(word, signed ? 1 : 0, word.length());
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw error(index, expected);
        }
        long result = negative ? -value : value;
        if (result < min || result > max) {
            throw error(index, expected);
        }
        return (int) result;
    }

    /**
     * Returns the word at {@code index} as an unsigned 64-bit number in C notation.
     *
     * @throws FormatException if it is none
     */
    long guid(int index) {
        String word = word(index);
        if (!CNumber.isNumber(word, 0, word.length())) {
            throw error(index, "a GUID");
        }
        return CNumber.parse(word, 0, word.length());
    }
}
