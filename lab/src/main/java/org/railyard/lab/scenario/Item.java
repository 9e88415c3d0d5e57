package org.railyard.lab.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A place in a YAML document. What is not as expected is noted as a problem, and something harmless is returned, so
 * that the rest can be checked too.
 */
final class Item {
    private final Node node;
    private final Problems problems;

    Item(Node node, Problems problems) {
        this.node = node;
        this.problems = problems;
    }

    Problems problems() {
        return problems;
    }

    Node node() {
        return node;
    }

    /** Notes that this is not what was expected. */
    public void expected(String what) {
        problems.add(node.getStartMark(), describe(), what);
    }

    /** Notes that this was found. */
    public void found(String found, String expected) {
        problems.add(node.getStartMark(), found, expected);
    }

    private String describe() {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue().isEmpty() ? "nothing" : "'" + shorten(scalar.getValue()) + "'";
            case MappingNode _ -> "a mapping";
            case SequenceNode _ -> "a list";
            default -> "something else";
        };
    }

    private static String shorten(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() > 40 ? line.substring(0, 40) + "…" : line;
    }

    boolean isMap() {
        return node instanceof MappingNode;
    }

    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Returns the fields of a mapping by their keys. */
    Fields fields(String... known) {
        Map<String, Item> fields = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            expected("a mapping with " + String.join(", ", known));
            return new Fields(this, fields);
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Item key = new Item(tuple.getKeyNode(), problems);
            String name = key.text();
            if (known.length > 0 && !List.of(known).contains(name)) {
                key.expected("one of " + String.join(", ", known));
            } else if (fields.put(name, new Item(tuple.getValueNode(), problems)) != null) {
                key.found("'" + name + "' twice", "it once");
            }
        }
        return new Fields(this, fields);
    }

    /** Returns the items of a list; anything else is a list of one. */
    public List<Item> items() {
        if (!(node instanceof SequenceNode sequence)) {
            return List.of(this);
        }
        List<Item> items = new ArrayList<>();
        sequence.getValue().forEach(each -> items.add(new Item(each, problems)));
        return items;
    }

    /** Returns the text of a scalar. */
    public String text() {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue().strip();
        }
        expected("a text");
        return "";
    }

    public boolean bool() {
        return switch (text()) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> {
                expected("true or false");
                yield false;
            }
        };
    }

    public long number(long min, long max) {
        Long value = Units.number(text());
        return within(value, min, max, "a number " + min + "…" + max);
    }

    /** Reads a number with a unit. */
    long quantity(Units units, long min, long max) {
        Long value = units.parse(text());
        return within(value, min, max, units.expected() + " from " + units.format(min) + " to " + units.format(max));
    }

    private long within(@Nullable Long value, long min, long max, String what) {
        if (value == null || value < min || value > max) {
            expected(what);
            return min;
        }
        return value;
    }

    /** Reads {@code a..b}, or a number for both. */
    Span span(Units units, long min, long max) {
        String[] ends = text().split("\\.\\.", -1);
        Long from = units.parse(ends[0]);
        Long to = units.parse(ends[ends.length - 1]);
        if (ends.length > 2 || from == null || to == null || from < min || to > max || from > to) {
            expected(units.expected() + " from " + units.format(min) + " to " + units.format(max)
                    + ", or a range of such as a..b");
            return new Span(min, min);
        }
        return new Span(from, to);
    }

    /** Reads a share: {@code 0.01} or {@code 1%}. */
    double share() {
        String text = text();
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
        expected("a share from 0 to 1, or from 0% to 100%");
        return 0;
    }
}
