package org.railyard.base.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A place in a YAML document. What is not as expected is noted, and something harmless returned, so that the rest can
 * be checked too.
 */
public final class Item {
    /** Most items of a list and keys of a mapping. */
    static final int MAX_ITEMS = 200_000;

    private static final int MAX_SHOWN = 40;

    private static final String MERGE_KEY = "<<";

    /** How YAML writes that there is nothing, beside nothing. */
    private static final Set<String> NULLS = Set.of("~", "null", "Null", "NULL");

    private final Node node;
    private final Findings findings;

    /** The key that this is the value of, or in a list of; null at the top. */
    private final @Nullable String key;

    /** Makes one of a node of a document that was read with marks; what is wrong goes to the findings. */
    Item(Node node, Findings findings) {
        this(node, findings, null);
    }

    private Item(Node node, Findings findings, @Nullable String key) {
        this.node = node;
        this.findings = findings;
        this.key = key;
    }

    /** Returns what was wrong so far in the document. */
    public Findings findings() {
        return findings;
    }

    /** Returns the same place, of which what is wrong goes to other findings. */
    public Item notedIn(Findings other) {
        return new Item(node, other, key);
    }

    /** Returns where it is in the file. */
    public Place place() {
        return findings.place(node.getStartMark());
    }

    /** Notes that this is not what was expected. */
    public void expected(String what) {
        if (key == null || !(node instanceof ScalarNode)) {
            findings.error(place(), describe(), what);
        } else if (isEmpty()) {
            findings.key(place(), "no value specified for key '" + shown(key) + "'", what);
        } else {
            findings.key(place(), "invalid value '" + shown() + "' for key '" + shown(key) + "'", what);
        }
    }

    /** Notes that this is a key that does not belong here. */
    public void unknownKey(String expected) {
        findings.key(place(), "invalid key '" + shown() + "'", expected);
    }

    /** Notes that something was found here. */
    public void found(String what, String expected) {
        findings.error(place(), what, expected);
    }

    /** Notes something that is odd, but does no harm. */
    public void warn(String what, String expected) {
        findings.warning(place(), what, expected);
    }

    /** Returns the text, shortened to a piece of a line. */
    public String shown() {
        return node instanceof ScalarNode scalar ? shown(scalar.getValue()) : describe();
    }

    String describe() {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue().isBlank() ? "nothing" : "'" + shown(scalar.getValue()) + "'";
            case MappingNode _ -> "a mapping";
            case SequenceNode _ -> "a list";
            default -> "something else";
        };
    }

    private static String shown(String text) {
        String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return line.length() > MAX_SHOWN ? line.substring(0, MAX_SHOWN) + "…" : line;
    }

    /** Tells whether it is a mapping. */
    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** Tells whether it is a list. */
    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Tells whether nothing is here, or a {@code ~} or {@code null} without quotes. */
    public boolean isEmpty() {
        return node instanceof ScalarNode scalar
                && (scalar.getValue().isBlank()
                        || scalar.getScalarStyle() == ScalarStyle.PLAIN && NULLS.contains(scalar.getValue()));
    }

    /** Returns the values of a mapping by their keys, each key once; of nothing, none. */
    public Map<String, Entry> entries() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            if (!isEmpty()) {
                expected("a mapping, key: value");
            }
            return entries;
        }
        if (mapping.getValue().size() > MAX_ITEMS) {
            found("a mapping of " + mapping.getValue().size() + " keys", "at most " + MAX_ITEMS);
            return entries;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Item key = new Item(tuple.getKeyNode(), findings);
            String name = key.text();
            if (name.equals(MERGE_KEY)) {
                key.found("the merge key '<<'", "the keys that it stands for; YAML 1.2 has no merge keys");
                continue;
            }
            Entry entry = new Entry(key, new Item(tuple.getValueNode(), findings, name));
            if (entries.putIfAbsent(name, entry) != null) {
                key.found(key.describe() + " twice in one mapping", "it once");
            }
        }
        return entries;
    }

    /** A key with its value. */
    public record Entry(Item key, Item value) {}

    /** Returns the items of a list; a mapping is a list of one, nothing is none. */
    public List<Item> items() {
        List<Item> items = new ArrayList<>();
        if (isMapping()) {
            items.add(this);
        } else if (!(node instanceof SequenceNode sequence)) {
            if (!isEmpty()) {
                expected("a list");
            }
        } else if (sequence.getValue().size() > MAX_ITEMS) {
            found("a list of " + sequence.getValue().size() + " items", "at most " + MAX_ITEMS);
        } else {
            for (Node each : sequence.getValue()) {
                Item item = new Item(each, findings, key);
                if (item.isEmpty()) {
                    item.found("an empty item of a list", "a value after '-'");
                } else {
                    items.add(item);
                }
            }
        }
        return items;
    }

    /** Returns the text of a scalar, without blanks around it. */
    public String text() {
        return wholeText().strip();
    }

    /** Returns the text of a scalar as it is, with blanks and line ends around it. */
    public String wholeText() {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        expected("a text");
        return "";
    }

    /** Reads {@code true} or {@code false} in any case. */
    public boolean bool(boolean otherwise) {
        return switch (text().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> {
                expected("true or false");
                yield otherwise;
            }
        };
    }

    /** Returns the number that is here, or nothing, noted, if it is none or out of range. */
    public OptionalLong number(long min, long max) {
        String text = text();
        if (text.matches("[+-]?[0-9]{1,18}")) {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return OptionalLong.of(value);
            }
        }
        if (node instanceof ScalarNode) {
            expected("a number " + min + "…" + max);
        }
        return OptionalLong.empty();
    }
}
