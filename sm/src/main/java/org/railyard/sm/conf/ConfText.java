package org.railyard.sm.conf;

import org.railyard.fabric.format.FormatException;

/** A text of words and single marks, with comments from {@code #} to the end of the line; knows where it is. */
final class ConfText {
    /** Longest word, characters. */
    private static final int MAX_WORD = 256;

    private static final String MARKS = ",=:;";
    private static final int SHOWN = 60;

    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;
    private int wordAt;
    private int wordLine = 1;
    private int wordLineStart;

    ConfText(String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new FormatException(1, 1, text.length() + " characters", "at most " + maxLength + " characters");
        }
        this.text = text;
        skip();
    }

    /** Returns the line of what is next, from 1. */
    int line() {
        return line;
    }

    boolean atEnd() {
        return at == text.length();
    }

    boolean isNext(char mark) {
        return at < text.length() && text.charAt(at) == mark;
    }

    boolean accept(char mark) {
        if (!isNext(mark)) {
            return false;
        }
        at++;
        skip();
        return true;
    }

    void expect(char mark) {
        if (!accept(mark)) {
            throw fail("\"" + mark + "\"");
        }
    }

    /** Reads a word; empty if there is none. */
    String word() {
        return word(MARKS);
    }

    /** Reads a word in which colons are letters. */
    String gidWord() {
        return word(",;=");
    }

    private String word(String marks) {
        wordAt = at;
        wordLine = line;
        wordLineStart = lineStart;
        while (at < text.length() && !isBlank(text.charAt(at)) && marks.indexOf(text.charAt(at)) < 0) {
            if (text.charAt(at) == '#') {
                break;
            }
            at++;
        }
        if (at - wordAt > MAX_WORD) {
            throw failAtWord("a word of at most " + MAX_WORD + " characters");
        }
        String word = text.substring(wordAt, at);
        skip();
        return word;
    }

    String required(String what) {
        String word = word();
        if (word.isEmpty()) {
            throw fail(what);
        }
        return word;
    }

    /** Returns the value of a word in C notation. */
    long number(String word, long min, long max, String what) {
        long value = -1;
        try {
            value = Long.decode(word);
        } catch (NumberFormatException _) {
            // As wrong as one that is out of range.
        }
        if (value < min || value > max) {
            throw failAtWord("%s, %d to %d".formatted(what, min, max));
        }
        return value;
    }

    /** Returns the value of a word that is a GUID, hexadecimal with 0x or decimal. */
    long guid(String word) {
        try {
            return word.startsWith("0x") || word.startsWith("0X")
                    ? Long.parseUnsignedLong(word, 2, word.length(), 16)
                    : Long.parseUnsignedLong(word);
        } catch (NumberFormatException | IndexOutOfBoundsException _) {
            throw failAtWord("a port GUID as 0x…, or ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS, SELF");
        }
    }

    /** Makes the error that what is next is not what was expected. */
    FormatException fail(String expected) {
        return new FormatException(line, at - lineStart + 1, rest(at), expected);
    }

    /** Makes the error that the last word is not what was expected. */
    FormatException failAtWord(String expected) {
        return new FormatException(wordLine, wordAt - wordLineStart + 1, rest(wordAt), expected);
    }

    /** Makes a remark about the last word. */
    ConfRemark remarkAtWord(String what) {
        return new ConfRemark(wordLine, wordAt - wordLineStart + 1, what.replaceAll("[^\\x20-\\x7e]", "?"));
    }

    private String rest(int from) {
        int end = from;
        while (end < text.length() && end - from <= SHOWN && text.charAt(end) != '\n') {
            end++;
        }
        return text.substring(from, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    /** Goes over blanks, ends of lines and comments. */
    private void skip() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == '\n') {
                at++;
                line++;
                lineStart = at;
            } else if (isBlank(c)) {
                at++;
            } else {
                return;
            }
        }
    }
}
