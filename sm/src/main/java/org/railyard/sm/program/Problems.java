package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.mad.smp.SmpAttributes;
import org.railyard.mad.text.MadText;
import org.railyard.mad.wire.Mad;

/**
 * The Sets that failed, a line for each node, attribute and reason: a switch of 36 ports that takes no SL to VL tables
 * would otherwise fill the report with 1,296 lines and hide all that failed elsewhere. Not thread-safe.
 */
final class Problems {
    /** Most Sets of a line that are named beside the first one. */
    private static final int MAX_NAMED = 7;

    private final Map<Cause, Line> lines = new LinkedHashMap<>();

    /** What a line is about; one of no Set has its text as the reason. */
    private record Cause(long guid, int attribute, String why) {}

    /** The first Set in full, and the modifiers of others. */
    private static final class Line {
        private final String begin;
        private final String end;
        private final List<String> others = new ArrayList<>();
        private int more;

        Line(String begin, String end) {
            this.begin = begin;
            this.end = end;
        }

        void also(Mad mad) {
            more++;
            String modifier = SmpAttributes.modifierText(mad.attributeId(), mad.modifier());
            if (others.size() < MAX_NAMED && !modifier.isEmpty()) {
                others.add(modifier);
            }
        }

        String text() {
            if (more == 0) {
                return begin + end;
            }
            String named =
                    others.isEmpty() ? "" : ": " + String.join(", ", others) + (more > others.size() ? " …" : "");
            return "%s (and %d more%s)%s".formatted(begin, more, named, end);
        }
    }

    /** Notes something that is about no single Set. */
    void add(String text) {
        if (hasRoom()) {
            lines.putIfAbsent(new Cause(0, 0, text), new Line(text, ""));
        }
    }

    /** Notes a Set that failed. */
    void add(Update update, String why) {
        Mad mad = update.mad();
        Cause cause = new Cause(update.node().guid(), mad.attributeId(), why);
        Line known = lines.get(cause);
        if (known != null) {
            known.also(mad);
        } else if (hasRoom()) {
            lines.put(cause, new Line(update.node().name() + ": " + MadText.summary(mad), ": " + why));
        }
    }

    private boolean hasRoom() {
        return lines.size() < Executor.MAX_PROBLEMS;
    }

    /** Returns a line for each. */
    List<String> lines() {
        return lines.values().stream().map(Line::text).toList();
    }
}
