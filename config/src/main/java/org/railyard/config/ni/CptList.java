package org.railyard.config.ni;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Item;

/** Reads lists of CPU partitions: {@code [0,2-3]}. */
public final class CptList {
    /** Largest number of a partition. */
    static final int MAX_CPT = 4095;

    public static final String EXPECTED = "CPU partitions 0…" + MAX_CPT + ", such as \"[0,2-3]\"";

    private static final int MAX_TEXT = 16_384;
    private static final Pattern RANGE =
            Pattern.compile("\\s*([0-9]{1,4})\\s*(?:-\\s*([0-9]{1,4})\\s*(?:/\\s*([0-9]{1,4})\\s*)?)?");

    private CptList() {}

    /** Returns the partitions that a text lists, in order; null if it is no list. */
    public static @Nullable List<Integer> parse(String text) {
        if (text.length() > MAX_TEXT || !text.startsWith("[") || !text.endsWith("]")) {
            return null;
        }
        TreeSet<Integer> cpts = new TreeSet<>();
        for (String range : text.substring(1, text.length() - 1).split(",", -1)) {
            Matcher parts = RANGE.matcher(range);
            if (!parts.matches()) {
                return null;
            }
            int low = Integer.parseInt(parts.group(1));
            int high = parts.group(2) == null ? low : Integer.parseInt(parts.group(2));
            int step = parts.group(3) == null ? 1 : Integer.parseInt(parts.group(3));
            if (high < low || high > MAX_CPT || step == 0) {
                return null;
            }
            for (int cpt = low; cpt <= high; cpt += step) {
                cpts.add(cpt);
            }
        }
        return List.copyOf(cpts);
    }

    /** Returns the partitions that a text or a list names; none, noted, if they can not be read. */
    public static List<Integer> read(Item item) {
        if (item.isList()) {
            List<Integer> cpts = new ArrayList<>();
            for (Item each : item.items()) {
                each.number(0, MAX_CPT).ifPresent(cpt -> cpts.add((int) cpt));
            }
            return cpts;
        }
        List<Integer> cpts = parse(item.text());
        if (cpts == null) {
            item.expected(EXPECTED);
            return List.of();
        }
        return cpts;
    }
}
