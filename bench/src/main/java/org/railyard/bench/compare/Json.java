package org.railyard.bench.compare;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON (RFC 8259), indented by two blanks. */
final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /**
     * Returns a value as text, ended by a line feed.
     *
     * @param value a map with text keys, list, text, number, boolean or null; a number that JSON cannot say becomes
     * null
     */
    static String write(@Nullable Object value) {
        Json json = new Json();
        json.append(value, 0);
        return json.out.append('\n').toString();
    }

    private void append(@Nullable Object value, int depth) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> appendMap(map, depth);
            case List<?> list -> appendList(list, depth);
            case Double number -> out.append(Double.isFinite(number) ? number.toString() : "null");
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            case CharSequence text -> appendText(text);
            default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }

    private void appendMap(Map<?, ?> map, int depth) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            newLine(depth + 1);
            appendText(String.valueOf(entry.getKey()));
            out.append(": ");
            append(entry.getValue(), depth + 1);
            separator = ",";
        }
        if (map.isEmpty()) {
            out.append('{');
        } else {
            newLine(depth);
        }
        out.append('}');
    }

    private void appendList(List<?> list, int depth) {
        String separator = "[";
        for (Object element : list) {
            out.append(separator);
            newLine(depth + 1);
            append(element, depth + 1);
            separator = ",";
        }
        if (list.isEmpty()) {
            out.append('[');
        } else {
            newLine(depth);
        }
        out.append(']');
    }

    private void newLine(int depth) {
        out.append('\n').repeat("  ", depth);
    }

    private void appendText(CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
