package org.railyard.console.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.control.figures.Rated;
import org.railyard.control.figures.Reading.Counters;

/** NIs as lists of values, in the order of {@link #COLUMNS}: what goes to browsers, in little space. */
final class Rows {
    /** What the values are; the pages know them by these names. Rates are of a second, null where not known. */
    static final List<String> COLUMNS = List.of(
            "nid",
            "of",
            "state",
            "health",
            "credits",
            "maxCredits",
            "minCredits",
            "queued",
            "out",
            "in",
            "outBytes",
            "inBytes",
            "dropped",
            "resends",
            "timeouts");

    private static final double TENTHS = 10;

    private Rows() {}

    /** Returns the values of an NI. */
    static List<@Nullable Object> of(Rated ni) {
        Counters now = ni.now();
        return Arrays.asList(
                now.nid(),
                now.of(),
                now.state(),
                now.health(),
                now.credits(),
                now.maxCredits(),
                now.minCredits(),
                now.queued(),
                rate(ni.out()),
                rate(ni.in()),
                rate(ni.outBytes()),
                rate(ni.inBytes()),
                now.dropped(),
                now.resends(),
                now.timeouts());
    }

    private static @Nullable Object rate(double value) {
        return Double.isNaN(value) ? null : Math.round(value * TENTHS) / TENTHS;
    }

    /** Returns the values of NIs by what they are known by: NID, and device or peer. */
    static Map<String, List<@Nullable Object>> byKey(List<Rated> nis) {
        Map<String, List<@Nullable Object>> rows = new LinkedHashMap<>();
        nis.forEach(ni -> rows.put(key(ni), of(ni)));
        return rows;
    }

    /** Returns what an NI is known by. */
    static String key(Rated ni) {
        return ni.now().nid() + " " + ni.now().of();
    }

    /** Returns what is new or different. */
    static List<Object> changed(Map<String, List<@Nullable Object>> before, Map<String, List<@Nullable Object>> now) {
        List<Object> changed = new ArrayList<>();
        now.forEach((key, row) -> {
            if (!row.equals(before.get(key))) {
                changed.add(row);
            }
        });
        return changed;
    }

    /** Returns the keys of what went away. */
    static List<String> gone(Map<String, List<@Nullable Object>> before, Map<String, List<@Nullable Object>> now) {
        return before.keySet().stream().filter(key -> !now.containsKey(key)).toList();
    }
}
