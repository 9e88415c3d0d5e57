package org.railyard.node.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text format of Prometheus, version 0.0.4, and takes nothing that is not exactly so. */
final class Exposition {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) (\\S+) (.+)");
    private static final Pattern SAMPLE = Pattern.compile("([^{ ]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\n\"])*)\"(,|$)");

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Set<String> helped = new HashSet<>();
    private final List<String> closed = new ArrayList<>();
    private String family = "";

    private Exposition() {}

    /** Reads a text; throws an {@link IllegalArgumentException} that tells the line if it is not as it should be. */
    static Exposition read(String text) {
        Exposition read = new Exposition();
        require(text.endsWith("\n"), "the last line does not end");
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            try {
                if (line.startsWith("#")) {
                    read.head(line);
                } else if (!line.isEmpty()) {
                    read.sample(line);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ", " + line + ": " + e.getMessage(), e);
            }
        }
        return read;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private void head(String line) {
        Matcher head = HEAD.matcher(line);
        require(head.matches(), "neither HELP nor TYPE with a name and a text");
        String name = head.group(2);
        require(NAME.matcher(name).matches(), "no name");
        if (head.group(1).equals("HELP")) {
            require(helped.add(name), "a second HELP");
            begin(name);
        } else {
            require(name.equals(family), "TYPE of another name than HELP");
            String type = head.group(3);
            require(Set.of("counter", "gauge", "summary").contains(type), "an unknown type");
            require(types.put(name, type) == null, "a second TYPE");
            require(type.equals("counter") == name.endsWith("_total"), "counters, and only they, end in _total");
        }
    }

    private void begin(String name) {
        if (!family.isEmpty()) {
            closed.add(family);
        }
        require(!closed.contains(name), "the family was ended before");
        family = name;
    }

    private void sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        require(sample.matches(), "no sample");
        String name = sample.group(1);
        String type = types.getOrDefault(family, "");
        boolean fits = type.equals("summary")
                ? name.equals(family + "_sum") || name.equals(family + "_count")
                : name.equals(family);
        require(fits, "not of the family " + family + ", " + type);
        double value = Double.parseDouble(sample.group(3));
        require(!type.equals("counter") || value >= 0, "a counter below 0");
        require(samples.put(name + labels(sample.group(2)), value) == null, "a second time");
    }

    private static String labels(String text) {
        Map<String, String> labels = new java.util.TreeMap<>();
        if (text != null) {
            int end = 0;
            Matcher label = LABEL.matcher(text);
            while (label.find() && label.start() == end) {
                require(labels.put(label.group(1), label.group(2)) == null, "a label twice");
                end = label.end();
            }
            require(end == text.length(), "labels that can not be read");
        }
        return labels.toString();
    }

    /** Returns the types by name. */
    Map<String, String> types() {
        return types;
    }

    /** Returns the values by name with sorted labels, for example {@code lnet_ni_up{nid=1.2.3.4@tcp}}. */
    Map<String, Double> samples() {
        return samples;
    }
}
