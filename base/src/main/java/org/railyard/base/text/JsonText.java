package org.railyard.base.text;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes documents as JSON. */
public final class JsonText {
    private JsonText() {}

    /** Returns a document in one line. */
    public static String of(@Nullable Object document) {
        StringBuilder text = new StringBuilder();
        write(document, text);
        return text.toString();
    }

    /** By hand, because a switch over types is linked at run time, which takes a tool longer than its document. */
    private static void write(@Nullable Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> map) {
            text.append('{');
            Iterator<? extends Map.Entry<?, ?>> each = map.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<?, ?> entry = each.next();
                text.append(YamlText.quoted(String.valueOf(entry.getKey()))).append(':');
                write(entry.getValue(), text);
                text.append(each.hasNext() ? "," : "");
            }
            text.append('}');
        } else if (value instanceof List<?> list) {
            text.append('[');
            for (int i = 0; i < list.size(); i++) {
                text.append(i == 0 ? "" : ",");
                write(list.get(i), text);
            }
            text.append(']');
        } else if (value instanceof String string) {
            text.append(YamlText.quoted(string));
        } else {
            text.append(value);
        }
    }
}
