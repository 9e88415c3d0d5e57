package org.railyard.fabric.format;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of GUIDs, each with a text that depends on the list: roots, routing order, node names (spec 31 §4).
 *
 * @param entries in the order of the file
 */
public record NodeList(List<Entry> entries) {
    /** Takes a copy. */
    public NodeList {
        entries = List.copyOf(entries);
    }

    /**
     * One GUID.
     *
     * @param line from 1
     * @param guid the GUID
     * @param rest what follows it, without blanks around; often empty
     */
    public record Entry(int line, long guid, String rest) {}

    /**
     * Reads the file.
     *
     * @throws FormatException if something other than a blank, # or the end follows a GUID
     */
    public static NodeList parse(CharSequence text) {
        List<Entry> entries = new ArrayList<>();
        LineScanner in = new LineScanner(text);
        while (in.nextLine()) {
            if (in.onlyBlanksLeft() || in.restStartsWith("#")) {
                continue;
            }
            long guid = in.number("GUID");
            if (!in.atEnd() && !in.restStartsWith("#")) {
                in.expectBlanks();
            }
            String rest = in.rest().strip();
            entries.add(new Entry(in.line(), guid, rest.startsWith("#") ? "" : rest));
        }
        return new NodeList(entries);
    }

    /** Returns the file. */
    public String text() {
        StringBuilder out = new StringBuilder();
        for (Entry entry : entries) {
            out.append("0x%016x".formatted(entry.guid))
                    .append(entry.rest.isEmpty() ? "" : " ")
                    .append(entry.rest)
                    .append('\n');
        }
        return out.toString();
    }
}
