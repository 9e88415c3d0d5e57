package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Figures of links as text and for programs.
 *
 * @param number of the table, from 1
 * @param links how many links there are
 * @param rows those that are shown, in their order
 * @param silent what did not answer
 */
record LinkTable(int number, int links, List<LinkFigures> rows, List<String> silent) {
    private static final double MIB = 1 << 20;
    private static final int NARROWEST = 4;

    /** Copies the lists. */
    LinkTable {
        rows = List.copyOf(rows);
        silent = List.copyOf(silent);
    }

    List<String> lines() {
        int width = rows.stream().mapToInt(row -> row.link().length()).max().orElse(NARROWEST);
        int first = Math.max(width, NARROWEST);
        List<String> lines = new ArrayList<>();
        lines.add("reading %d: %d of %d directions of links".formatted(number, rows.size(), links));
        lines.add(line(first, "LINK", "MiB/s", "SHARE", "PKT/s", "WAIT/s")
                + Stream.of(PortErrors.values())
                        .map(kind -> " %8s".formatted(kind.title()))
                        .collect(Collectors.joining()));
        for (LinkFigures row : rows) {
            lines.add(line(
                            first,
                            row.link(),
                            text(row.bytes(), MIB, "%.2f"),
                            text(row.share(), 0.01, "%.1f%%"),
                            text(row.packets(), 1, "%.0f"),
                            text(row.waitTicks(), 1, "%.0f"))
                    + row.errors().stream().map(" %8d"::formatted).collect(Collectors.joining())
                    + (row.remarks().isEmpty() ? "" : "  " + String.join(", ", row.remarks())));
        }
        silent.forEach(line -> lines.add("not read: " + line));
        lines.add("");
        return lines;
    }

    private static String line(int width, String link, String data, String share, String packets, String wait) {
        return link + " ".repeat(width - link.length()) + " %10s %6s %10s %10s".formatted(data, share, packets, wait);
    }

    private static String text(OptionalDouble value, double unit, String form) {
        return value.isPresent() ? String.format(Locale.ROOT, form, value.getAsDouble() / unit) : "-";
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("reading", number);
        document.put("directions", links);
        document.put("links", rows.stream().map(LinkTable::document).toList());
        document.put("not_read", silent);
        return document;
    }

    private static Map<String, Object> document(LinkFigures row) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("link", row.link());
        row.bytes().ifPresent(value -> document.put("bytes_per_second", value));
        row.share().ifPresent(value -> document.put("share", value));
        row.packets().ifPresent(value -> document.put("packets_per_second", value));
        row.waitTicks().ifPresent(value -> document.put("wait_ticks_per_second", value));
        Map<String, Object> errors = new LinkedHashMap<>();
        for (PortErrors kind : PortErrors.values()) {
            errors.put(kind.key(), row.errors().get(kind.ordinal()));
        }
        document.put("errors", errors);
        document.put("remarks", row.remarks());
        return document;
    }
}
