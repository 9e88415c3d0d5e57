package org.railyard.mad.layout;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Writes fields for people: names and values, nothing of a text that could disturb a terminal. */
public final class FieldText {
    private static final int COLUMN = 30;
    private static final int MAX_LISTED = 64;
    private static final int MIN_RUN = 4;

    private FieldText() {}

    /** Returns the name of a structure and its fields that are not 0, in one line. */
    public static String line(BitStruct<?> struct) {
        return struct.layout().name() + " " + fields(struct, field -> true);
    }

    /** Returns chosen fields of a structure that are not 0, in one line. */
    public static String fields(BitStruct<?> struct, Predicate<BitField> chosen) {
        StringJoiner text = new StringJoiner(" ");
        for (BitField field : struct.layout().fields()) {
            if (chosen.test(field) && !isZero(struct, field)) {
                text.add(field.name() + "=" + value(struct, field).replace(", ", ","));
            }
        }
        return text.toString();
    }

    /** Returns chosen fields, one to a line, with their names in a column and an indentation before. */
    public static String lines(BitStruct<?> struct, String indentation, Predicate<BitField> chosen) {
        StringBuilder text = new StringBuilder();
        for (BitField field : struct.layout().fields()) {
            if (chosen.test(field)) {
                text.append(indentation).append(field.name());
                text.append(".".repeat(Math.max(1, COLUMN - field.name().length())));
                text.append(' ').append(value(struct, field)).append('\n');
            }
        }
        return text.toString();
    }

    /** Returns the value of a field: a number, a name, a GID or a text; of an array, its elements. */
    public static String value(BitStruct<?> struct, BitField field) {
        if (field.form() == BitField.Form.GID) {
            return struct.getGid(field).toString();
        }
        if (field.form() == BitField.Form.TEXT) {
            return printable(struct.getText(field));
        }
        StringJoiner text = new StringJoiner(", ");
        int shown = 0;
        for (int i = 0; i < field.count(); shown++) {
            int end = i + 1;
            while (end < field.count() && struct.get(field, end) == struct.get(field, i)) {
                end++;
            }
            if (shown == MAX_LISTED) {
                return text.add("…").toString();
            }
            boolean run = end - i >= MIN_RUN;
            text.add(element(field, struct.get(field, i)) + (run ? "×" + (end - i) : ""));
            i = run ? end : i + 1;
        }
        return text.toString();
    }

    /** Returns the value of a field for programs: a number, or a text; of an array, the list of its elements. */
    public static Object document(BitStruct<?> struct, BitField field) {
        if (field.form() == BitField.Form.GID) {
            return struct.getGid(field).toString();
        }
        if (field.form() == BitField.Form.TEXT) {
            return struct.getText(field);
        }
        if (field.count() == 1) {
            return documentOf(field, struct.get(field));
        }
        return IntStream.range(0, field.count())
                .mapToObj(i -> documentOf(field, struct.get(field, i)))
                .toList();
    }

    private static Object documentOf(BitField field, long value) {
        boolean isNumber = field.form() == BitField.Form.DECIMAL && value >= 0;
        return isNumber ? (Object) value : element(field, value);
    }

    private static String element(BitField field, long value) {
        return switch (field.form()) {
            case HEX -> String.format(Locale.ROOT, "0x%0" + (field.bits() + 3) / 4 + "x", value);
            case NAMES ->
                value >= 0 && value < field.names().size()
                        ? field.names().get((int) value) + "(" + value + ")"
                        : Long.toUnsignedString(value);
            case DECIMAL, GID, TEXT -> Long.toUnsignedString(value);
        };
    }

    /** Returns a text with every character that is not printable ASCII as an underscore, in quotes. */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            clean.append(c < ' ' || c > '~' || c == '"' ? '_' : c);
        }
        return clean.append('"').toString();
    }

    private static boolean isZero(BitStruct<?> struct, BitField field) {
        if (field.form() == BitField.Form.GID) {
            return struct.getGid(field).equals(Gid.ZERO);
        }
        if (field.form() == BitField.Form.TEXT) {
            return struct.getText(field).isEmpty();
        }
        for (int i = 0; i < field.count(); i++) {
            if (struct.get(field, i) != 0) {
                return false;
            }
        }
        return true;
    }
}
