package org.railyard.fabric.format;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import org.railyard.fabric.model.FabricException;

/** Reads a text line by line and a line piece by piece, and knows line and column when something is wrong. */
final class LineScanner {
    /** Longest line that any format may have, in characters. */
    static final int MAX_LINE = 4096;

    private static final int BUFFER = 1 << 14;
    private static final int END = -1;

    private final Reader text;
    private final char[] buffer = new char[BUFFER];
    private final StringBuilder longer = new StringBuilder();
    private int next;
    private int filled;
    private int line;
    private String current = "";
    private int at;

    LineScanner(CharSequence text) {
        this(Reader.of(text));
    }

    LineScanner(Reader text) {
        this.text = text;
    }

    /**
     * Goes to the next line; false at the end of the text. A CR before the LF does not count.
     *
     * @throws UncheckedIOException if the text can not be read
     */
    boolean nextLine() {
        if (next == filled && !fill()) {
            return false;
        }
        line++;
        longer.setLength(0);
        int end = lineEnd();
        while (end == END) {
            longer.append(buffer, next, filled - next);
            end = fill() ? lineEnd() : filled;
        }
        if (longer.isEmpty()) {
            current = new String(buffer, next, end - next);
        } else {
            current = longer.append(buffer, next, end - next).toString();
        }
        if (current.endsWith("\r")) {
            current = current.substring(0, current.length() - 1);
        }
        if (current.length() > MAX_LINE) {
            throw tooLong();
        }
        next = Math.min(end + 1, filled);
        at = 0;
        return true;
    }

    /** Returns where the line ends in the buffer, or {@link #END} if it goes on after it. */
    private int lineEnd() {
        int longest = Math.min(filled, next + MAX_LINE - longer.length() + 2);
        for (int i = next; i < longest; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        if (longest < filled) {
            throw tooLong();
        }
        return END;
    }

    private FormatException tooLong() {
        return new FormatException(line, MAX_LINE + 1, "more", "a line of at most " + MAX_LINE + " characters");
    }

    /** Reads more in place of what is in the buffer; false at the end of the text. */
    private boolean fill() {
        next = 0;
        filled = 0;
        try {
            int count = text.read(buffer, 0, BUFFER);
            filled = Math.max(count, 0);
            return count > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int line() {
        return line;
    }

    String current() {
        return current;
    }

    boolean atEnd() {
        return at == current.length();
    }

    /** Whether nothing but blanks is left in the line. */
    boolean onlyBlanksLeft() {
        skipBlanks();
        return atEnd();
    }

    void skipBlanks() {
        while (at < current.length() && (current.charAt(at) == ' ' || current.charAt(at) == '\t')) {
            at++;
        }
    }

    /** Skips the text if it is here. */
    boolean accept(String literal) {
        if (!current.startsWith(literal, at)) {
            return false;
        }
        at += literal.length();
        return true;
    }

    void expect(String literal) {
        if (!accept(literal)) {
            throw fail("\"" + literal + "\"");
        }
    }

    /** Goes over blanks, of which there must be one at least. */
    void expectBlanks() {
        int before = at;
        skipBlanks();
        if (before == at) {
            throw fail("a blank");
        }
    }

    void expectEnd() {
        if (!onlyBlanksLeft()) {
            throw fail("end of line");
        }
    }

    /** Reads hexadecimal digits, 1 to 16, without 0x. */
    long hexDigits(String what) {
        int start = at;
        long value = 0;
        while (at < current.length() && at - start < 16 && Character.digit(current.charAt(at), 16) >= 0) {
            value = value << 4 | Character.digit(current.charAt(at), 16);
            at++;
        }
        if (at == start || at < current.length() && Character.digit(current.charAt(at), 16) >= 0) {
            at = start;
            throw fail(what + ", 1 to 16 hexadecimal digits");
        }
        return value;
    }

    /** Reads 0x and hexadecimal digits. */
    long hex(String what) {
        if (!accept("0x")) {
            throw fail(what + " as 0x…");
        }
        return hexDigits(what);
    }

    int hex(int max, String what) {
        return hex(0, max, what);
    }

    int hex(int min, int max, String what) {
        int start = at;
        return bounded(start, hex(what), min, max, what);
    }

    int hexDigits(int max, String what) {
        int start = at;
        return bounded(start, hexDigits(what), 0, max, what);
    }

    int decimal(int max, String what) {
        return decimal(0, max, what);
    }

    int decimal(int min, int max, String what) {
        int start = at;
        long value = 0;
        while (at < current.length() && isDigit(current.charAt(at)) && at - start < 10) {
            value = value * 10 + (current.charAt(at++) - '0');
        }
        if (at == start) {
            throw fail(what + ", a decimal number");
        }
        return bounded(start, value, min, max, what);
    }

    /** Reads a number in C notation: 0x hexadecimal, leading 0 octal, else decimal. */
    long number(String what) {
        if (current.startsWith("0x", at) || current.startsWith("0X", at)) {
            at += 2;
            return hexDigits(what);
        }
        int start = at;
        while (at < current.length() && isDigit(current.charAt(at))) {
            at++;
        }
        String digits = current.substring(start, at);
        try {
            return Long.parseUnsignedLong(digits, digits.startsWith("0") ? 8 : 10);
        } catch (NumberFormatException e) {
            at = start;
            throw fail(what + ", a number of 64 bits");
        }
    }

    private int bounded(int start, long value, int min, int max, String what) {
        if (value < min || value > max) {
            at = start;
            throw fail("%s, %d to %d".formatted(what, min, max));
        }
        return (int) value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Reads a text in double quotes. */
    String quoted(String what) {
        expectQuote(what);
        int end = current.indexOf('"', at);
        if (end < 0) {
            throw fail("a closing quote of " + what);
        }
        return to(end, 1);
    }

    private void expectQuote(String what) {
        if (!accept("\"")) {
            throw fail(what + " in quotes");
        }
    }

    /**
     * Reads up to the last end mark of the line, and skips the mark. For descriptions, which
     * may hold anything.
     */
    String upToLast(String mark, String what) {
        int end = current.lastIndexOf(mark);
        if (end < at) {
            throw fail("\"" + mark + "\" after " + what);
        }
        return to(end, mark.length());
    }

    /** Reads up to the next end mark, and skips the mark. */
    String upTo(String mark, String what) {
        int end = current.indexOf(mark, at);
        if (end < 0) {
            throw fail("\"" + mark + "\" after " + what);
        }
        return to(end, mark.length());
    }

    private String to(int end, int skip) {
        String found = current.substring(at, end);
        at = end + skip;
        return found;
    }

    /** Reads up to the next blank or the end. */
    String word(String what) {
        int start = at;
        while (at < current.length() && current.charAt(at) != ' ' && current.charAt(at) != '\t') {
            at++;
        }
        if (at == start) {
            throw fail(what);
        }
        return current.substring(start, at);
    }

    String rest() {
        return to(current.length(), 0);
    }

    boolean restStartsWith(String literal) {
        return current.startsWith(literal, at);
    }

    int position() {
        return at;
    }

    void back(int position) {
        at = position;
    }

    FormatException fail(String expected) {
        return new FormatException(line, at + 1, current.substring(at), expected);
    }

    /** The error for parts that are well written but do not fit together. */
    FormatException fail(FabricException problem) {
        return new FormatException(line, 1, current, "something that fits: " + problem.getMessage());
    }
}
