package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.railyard.fabric.format.FormatException;

/** A QoS policy line by line, without blanks around, empty lines and comments; knows where it is. */
final class QosLines {
    private static final int MAX_LINE = 16_384;

    private final List<Line> lines = new ArrayList<>();
    private int at;
    private int values;

    /**
     * A line that says something.
     *
     * @param number from 1
     * @param column where the text begins, from 1
     * @param text without blanks around
     */
    record Line(int number, int column, String text) {
        /** Returns what stands before the first colon; all of it without colon. */
        String key() {
            int colon = text.indexOf(':');
            return colon < 0 ? text : text.substring(0, colon).strip();
        }

        /** Returns what stands behind the first colon. */
        String value() {
            int colon = text.indexOf(':');
            if (colon < 0 || text.substring(colon + 1).isBlank()) {
                throw fail("a value behind a colon");
            }
            return text.substring(colon + 1).strip();
        }

        FormatException fail(String expected) {
            return new FormatException(number, column, text, expected);
        }
    }

    QosLines(String text) {
        if (text.length() > QosPolicy.MAX_TEXT) {
            throw new FormatException(
                    1, 1, text.length() + " characters", "at most " + QosPolicy.MAX_TEXT + " characters");
        }
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            int comment = line.indexOf('#');
            String said = comment < 0 ? line : line.substring(0, comment);
            String stripped = said.strip();
            if (!stripped.isEmpty()) {
                Line one = new Line(number, said.indexOf(stripped) + 1, stripped);
                if (stripped.length() > MAX_LINE) {
                    throw one.fail("a line of at most " + MAX_LINE + " characters");
                }
                lines.add(one);
            }
        }
    }

    boolean atEnd() {
        return at == lines.size();
    }

    Line next() {
        return lines.get(at++);
    }

    /** Hands the lines up to the one that ends a section to somebody. */
    void section(Line begin, Consumer<Line> each) {
        String end = "end-" + begin.text();
        while (!atEnd()) {
            Line line = next();
            if (line.text().equals(end)) {
                return;
            }
            each.accept(line);
        }
        throw begin.fail(end + " somewhere behind it");
    }

    /** Splits a list by commas, and counts its parts. */
    List<String> parts(Line line, String list) {
        List<String> parts = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            String stripped = part.strip();
            if (stripped.isEmpty()) {
                throw line.fail("a value before and behind each comma");
            }
            if (++values > QosPolicy.MAX_VALUES) {
                throw line.fail("at most " + QosPolicy.MAX_VALUES + " values");
            }
            parts.add(stripped);
        }
        return parts;
    }

    /** Reads numbers and ranges {@code FIRST-LAST}, in C notation, up to a number without sign. */
    List<QosRange> ranges(Line line, String list, long max) {
        List<QosRange> ranges = new ArrayList<>();
        for (String part : parts(line, list)) {
            int dash = part.indexOf('-');
            long from = number(line, dash < 0 ? part : part.substring(0, dash).strip(), max);
            long to = dash < 0 ? from : number(line, part.substring(dash + 1).strip(), max);
            if (Long.compareUnsigned(from, to) > 0) {
                throw line.fail("ranges from the smaller to the larger number");
            }
            ranges.add(new QosRange(from, to));
        }
        return ranges;
    }

    /** Reads a number in C notation. */
    static long number(Line line, String word, long max) {
        boolean isHex = word.startsWith("0x") || word.startsWith("0X");
        try {
            long number = isHex ? Long.parseUnsignedLong(word, 2, word.length(), 16) : Long.parseUnsignedLong(word);
            if (Long.compareUnsigned(number, max) <= 0 && !word.startsWith("+")) {
                return number;
            }
        } catch (NumberFormatException | IndexOutOfBoundsException _) {
            // Told below.
        }
        throw line.fail("numbers of 0 to " + Long.toUnsignedString(max) + ", or hexadecimal ones with 0x");
    }
}
