package org.railyard.base.text;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes documents in the layouts of the configuration tool (spec 12 §1.4). */
public final class YamlText {
    /** The layouts. */
    public enum Layout {
        /** Of nets, peers, routes: mappings indented by 6, dashes in the column of the parent. */
        WIDE(6, 0, 6),
        /** Of ping and discover: indented by 2, dashes in the column of the parent. */
        NARROW(2, 0, 2),
        /** Of settings, statistics, rules: indented by 4, dashes too. */
        PLAIN(4, 4, 2);

        private final int step;
        private final int dash;
        private final int afterDash;

        Layout(int step, int dash, int afterDash) {
            this.step = step;
            this.dash = dash;
            this.afterDash = afterDash;
        }

        /** Returns the layout that a top key is written in. */
        public static Layout of(String key) {
            if (WIDE_KEYS.contains(key)) {
                return WIDE;
            }
            return NARROW_KEYS.contains(key) ? NARROW : PLAIN;
        }
    }

    private static final Set<String> WIDE_KEYS =
            Set.of("net", "route", "peer", "peer list", "Local NI recovery", "Peer NI recovery");
    private static final Set<String> NARROW_KEYS = Set.of("ping", "discover", "manage");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._<(+][^\\p{Cntrl}]*");
    private static final Pattern KEY = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern NOT_TEXT =
            Pattern.compile("(?i)[-+.0-9][0-9_.,:exa-f]*|0x.*|true|false|null|yes|no|on|off|y|n|~|");

    private final StringBuilder text = new StringBuilder();
    private final Layout layout;

    private YamlText(Layout layout) {
        this.layout = layout;
    }

    /** Returns a document, each top key in its own layout. Nothing for an empty one. */
    public static String of(Map<String, Object> document) {
        StringBuilder all = new StringBuilder();
        document.forEach((key, value) -> all.append(of(key, value, Layout.of(key))));
        return all.toString();
    }

    /** Returns a document, all of it in one layout. */
    public static String of(Map<String, Object> document, Layout layout) {
        StringBuilder all = new StringBuilder();
        document.forEach((key, value) -> all.append(of(key, value, layout)));
        return all.toString();
    }

    /** Returns one top key in a layout. */
    public static String of(String key, @Nullable Object value, Layout layout) {
        YamlText writer = new YamlText(layout);
        writer.entry(key, value, 0);
        return writer.text.toString();
    }

    private void entry(String key, @Nullable Object value, int column) {
        text.append(KEY.matcher(key).matches() ? key : scalar(key)).append(':');
        // By hand, as in JsonText.
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            text.append('\n');
            mapping(map, column + layout.step, true);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            text.append('\n');
            list(list, column + layout.dash);
        } else if (value == null) {
            text.append('\n');
        } else {
            text.append(' ').append(flat(value)).append('\n');
        }
    }

    private void mapping(Map<?, ?> map, int column, boolean indentFirst) {
        boolean indent = indentFirst;
        for (Map.Entry<?, ?> each : map.entrySet()) {
            if (indent) {
                text.repeat(' ', column);
            }
            indent = true;
            entry(String.valueOf(each.getKey()), each.getValue(), column);
        }
    }

    private void list(List<?> list, int column) {
        for (Object each : list) {
            text.repeat(' ', column).append('-').repeat(' ', layout.afterDash - 1);
            if (each instanceof Map<?, ?> map && !map.isEmpty()) {
                mapping(map, column + layout.afterDash, false);
            } else {
                text.append(flat(each)).append('\n');
            }
        }
    }

    private static String flat(Object value) {
        if (value instanceof Map<?, ?>) {
            return "{}";
        }
        if (value instanceof List<?>) {
            return "[]";
        }
        return value instanceof String string ? scalar(string) : String.valueOf(value);
    }

    /** Returns a text as it has to be written: plain where nobody can take it for something else. */
    static String scalar(String value) {
        boolean plain = PLAIN.matcher(value).matches()
                && !NOT_TEXT.matcher(value).matches()
                && !value.contains(": ")
                && !value.contains(" #")
                && !value.endsWith(":")
                && !value.endsWith(" ");
        return plain ? value : quoted(value);
    }

    /** Returns a text in double quotes. */
    public static String quoted(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff') {
                        out.append("\\u").append(hex(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    private static String hex(char c) {
        String digits = Integer.toHexString(c);
        return "0".repeat(4 - digits.length()) + digits;
    }
}
