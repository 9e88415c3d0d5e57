package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.railyard.fabric.format.FormatException;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.wire.AttributeType;

/**
 * What of subnet administration outlives a master, as text: after a first line that names the format one thing in a
 * line, its kind, numbers in hexadecimal digits and perhaps a record. It holds keys of services.
 *
 * @param lines in order; members follow their group
 */
record SaState(List<Line> lines) {
    private static final String TITLE = "# railyard subnet administration 1";
    private static final int HEX = 16;
    private static final int BITS = 4;

    /** What a line is about, how many numbers it has, and the bytes of its record, 0 for none. */
    enum Kind {
        ALIAS(10, 0),
        GROUP(0, McMemberRecord.TYPE.recordSize()),
        MEMBER(4, 0),
        TIME(1, 0),
        SERVICE(1, ServiceRecord.TYPE.recordSize()),
        SUBSCRIPTION(3, InformInfo.TYPE.recordSize());

        private final int numbers;
        private final int recordSize;

        Kind(int numbers, int recordSize) {
            this.numbers = numbers;
            this.recordSize = recordSize;
        }

        boolean hasRecord() {
            return recordSize > 0;
        }
    }

    /** One thing, with its record in hexadecimal digits; what its numbers are is said by who writes it. */
    record Line(Kind kind, List<Long> numbers, String digits) {
        static <T extends BitStruct<T>> Line of(Kind kind, AttributeType<T> type, T record, Long... numbers) {
            byte[] bytes = new byte[type.recordSize()];
            type.over().over(bytes, 0).setAll(record);
            return new Line(kind, List.of(numbers), HexFormat.of().formatHex(bytes));
        }

        static Line of(Kind kind, Long... numbers) {
            return new Line(kind, List.of(numbers), "");
        }

        long number(int index) {
            return numbers.get(index);
        }

        /** Returns the record, which is of the type that the kind has. */
        <T extends BitStruct<T>> T record(AttributeType<T> type) {
            return type.over().over(HexFormat.of().parseHex(digits), 0);
        }
    }

    String text() {
        StringBuilder text = new StringBuilder(TITLE).append('\n');
        for (Line line : lines) {
            text.append(line.kind.name().toLowerCase(Locale.ROOT));
            line.numbers.forEach(
                    number -> text.append(' ').append(HexFormat.of().toHexDigits(number)));
            if (line.kind.hasRecord()) {
                text.append(' ').append(line.digits);
            }
            text.append('\n');
        }
        return text.toString();
    }

    /**
     * Reads a text.
     *
     * @throws FormatException if it is none that {@link #text} makes
     */
    static SaState parse(String text) {
        List<String> rows = text.lines().toList();
        if (rows.isEmpty() || !rows.getFirst().equals(TITLE)) {
            throw new FormatException(1, 1, rows.isEmpty() ? "" : rows.getFirst(), TITLE);
        }
        List<Line> lines = new ArrayList<>();
        for (int row = 1; row < rows.size(); row++) {
            lines.add(line(rows.get(row), row + 1));
        }
        if (!text.endsWith("\n")) {
            // The last number may have lost digits.
            throw new FormatException(rows.size(), 1, rows.getLast(), "a line that ends: the text is cut");
        }
        return new SaState(lines);
    }

    private static Line line(String row, int number) {
        String[] words = row.split(" ", -1);
        Kind kind = null;
        for (Kind each : Kind.values()) {
            kind = each.name().equalsIgnoreCase(words[0]) ? each : kind;
        }
        if (kind == null) {
            throw new FormatException(number, 1, row, "alias, group, member, time, service or subscription");
        }
        int count = 1 + kind.numbers + (kind.hasRecord() ? 1 : 0);
        if (words.length != count) {
            throw new FormatException(number, 1, row, count + " words");
        }
        try {
            List<Long> numbers = new ArrayList<>();
            for (int i = 1; i <= kind.numbers; i++) {
                if (words[i].length() > Long.SIZE / BITS) {
                    throw new NumberFormatException(words[i]);
                }
                numbers.add(Long.parseUnsignedLong(words[i], HEX));
            }
            // What is no number must be told here.
            byte[] record = HexFormat.of().parseHex(kind.hasRecord() ? words[count - 1] : "");
            if (record.length != kind.recordSize) {
                String expected = "a record of %d bytes, not of %d".formatted(kind.recordSize, record.length);
                throw new FormatException(number, 1, row, expected);
            }
            return new Line(kind, numbers, HexFormat.of().formatHex(record));
        } catch (IllegalArgumentException e) {
            throw new FormatException(number, 1, row, "hexadecimal digits");
        }
    }
}
