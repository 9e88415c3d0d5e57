package org.railyard.lnet.nid;

/**
 * A place in a text that is being read from left to right; knows what to say when the text does not go on as it should.
 */
final class TextCursor {
    /** Longest text of names that is looked at, characters. */
    static final int MAX_TEXT = 16_384;

    private final String text;
    private final int end;
    private int position;

    private TextCursor(String text, int start, int end) {
        this.text = text;
        this.position = start;
        this.end = end;
    }

    /** Starts at the beginning of a text of at most {@link #MAX_TEXT} characters. */
    static TextCursor over(String text) {
        if (text.length() > MAX_TEXT) {
            throw new NidFormatException(text, MAX_TEXT + 1, "at most " + MAX_TEXT + " characters");
        }
        return new TextCursor(text, 0, text.length());
    }

    /**
     * Returns a cursor over the text from here up to, not including, an offset; columns go on counting in the whole
     * text.
     */
    TextCursor until(int offset) {
        return new TextCursor(text, position, offset);
    }

    /** Returns the offset of the next such character from here on, or -1. */
    int find(char c) {
        int found = text.indexOf(c, position);
        return found < end ? found : -1;
    }

    boolean contains(char c) {
        return find(c) >= 0;
    }

    int remaining() {
        return end - position;
    }

    int position() {
        return position;
    }

    void moveTo(int offset) {
        position = offset;
    }

    boolean atEnd() {
        return position >= end;
    }

    /** Returns the next character, or -1 at the end. */
    int peek() {
        return atEnd() ? -1 : text.charAt(position);
    }

    boolean isAt(char c) {
        return peek() == c;
    }

    boolean accept(char c) {
        if (!isAt(c)) {
            return false;
        }
        position++;
        return true;
    }

    boolean accept(String word) {
        if (!text.startsWith(word, position) || position + word.length() > end) {
            return false;
        }
        position += word.length();
        return true;
    }

    void expect(char c, String expected) {
        if (!accept(c)) {
            throw fail(expected);
        }
    }

    void expectEnd(String expected) {
        if (!atEnd()) {
            throw fail(expected);
        }
    }

    /** Returns what is left and moves to the end. */
    String rest() {
        String rest = text.substring(position, end);
        position = end;
        return rest;
    }

    boolean atBlank() {
        return isAt(' ') || isAt('\t');
    }

    void skipBlanks() {
        while (atBlank()) {
            position++;
        }
    }

    /** Returns this cursor's text without the blanks at its end. */
    TextCursor withoutTrailingBlanks() {
        int last = end;
        while (last > position && (text.charAt(last - 1) == ' ' || text.charAt(last - 1) == '\t')) {
            last--;
        }
        return until(last);
    }

    /** Reads digits; the number must not exceed {@code max}. */
    long decimal(long max, String expected) {
        return digits(10, max, expected);
    }

    /** Reads digits, or {@code 0x} and hexadecimal digits; the number must not exceed {@code max}. */
    long number(long max, String expected) {
        if (text.regionMatches(true, position, "0x", 0, 2)
                && position + 2 < end
                && digit(text.charAt(position + 2), 16) >= 0) {
            position += 2;
            return digits(16, max, expected);
        }
        return digits(10, max, expected);
    }

    private long digits(int radix, long max, String expected) {
        int start = position;
        long value = 0;
        while (!atEnd() && digit(text.charAt(position), radix) >= 0) {
            value = value * radix + digit(text.charAt(position), radix);
            if (value > max) {
                position = start;
                throw fail(expected);
            }
            position++;
        }
        if (position == start) {
            throw fail(expected);
        }
        return value;
    }

    /** Only ASCII digits are digits here; the platform's own methods take those of every script. */
    private static int digit(char c, int radix) {
        return c < 128 ? Character.digit(c, radix) : -1;
    }

    NidFormatException fail(String expected) {
        return new NidFormatException(text, position + 1, expected);
    }
}
