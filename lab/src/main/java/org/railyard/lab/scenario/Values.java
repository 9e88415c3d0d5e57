package org.railyard.lab.scenario;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;

/**
 * Reads values of scenarios: quantities with units, ranges and shares. What can not be used is noted, and something
 * harmless returned, so that the rest can be checked too.
 */
final class Values {
    private Values() {}

    /** Reads a mapping in which only these keys mean something; nothing at all is not one. */
    static Fields fields(Item item, String... known) {
        if (item.isEmpty()) {
            item.expected("a mapping with " + String.join(", ", known));
        }
        return Fields.of(item, known);
    }

    /** Returns the items of a list; anything else is a list of one. */
    static List<Item> items(Item item) {
        return item.isList() ? item.items() : List.of(item);
    }

    static String text(Fields fields, String name, String otherwise) {
        Item found = fields.get(name);
        return found == null ? otherwise : found.text();
    }

    static boolean bool(Fields fields, String name, boolean otherwise) {
        Item found = fields.get(name);
        return found == null ? otherwise : found.bool(otherwise);
    }

    /** Reads a number with a unit, in base units; {@code min} if it can not be used. */
    static long quantity(Item item, Units units, long min, long max) {
        Long value = units.parse(item.text());
        if (value == null || value < min || value > max) {
            item.expected(range(units, min, max));
            return min;
        }
        return value;
    }

    static long quantity(Fields fields, String name, long otherwise, Units units, long min, long max) {
        Item found = fields.get(name);
        return found == null ? otherwise : quantity(found, units, min, max);
    }

    /** Reads {@code a..b}, or a number for both. */
    static Span span(Item item, Units units, long min, long max) {
        String[] ends = item.text().split("\\.\\.", -1);
        Long from = units.parse(ends[0]);
        Long to = units.parse(ends[ends.length - 1]);
        if (ends.length > 2 || from == null || to == null || from < min || to > max || from > to) {
            item.expected(range(units, min, max) + ", or a range of such as a..b");
            return new Span(min, min);
        }
        return new Span(from, to);
    }

    static Span span(@Nullable Item item, Span otherwise, Units units, long min, long max) {
        return item == null ? otherwise : span(item, units, min, max);
    }

    private static String range(Units units, long min, long max) {
        return units.expected() + " from " + units.format(min) + " to " + units.format(max);
    }

    /** Reads a share: {@code 0.01} or {@code 1%}. */
    static double share(Item item) {
        String text = item.text();
        boolean percent = text.endsWith("%");
        try {
            double value =
                    Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text) / (percent ? 100 : 1);
            if (value >= 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below, as any other unusable text.
        }
        item.expected("a share from 0 to 1, or from 0% to 100%");
        return 0;
    }

    static double share(Fields fields, String name, double otherwise) {
        Item found = fields.get(name);
        return found == null ? otherwise : share(found);
    }
}
