package org.railyard.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A comparison as text: a table with the ratios against each peer, and a note for each figure that is noisy. */
public final class ComparisonText {
    private ComparisonText() {}

    /** Returns the table of one measure, some lines, each ended by a line feed. */
    public static String of(Comparison comparison) {
        Measure measure = comparison.measure();
        boolean latency = comparison.series().stream()
                .anyMatch(s -> s.median(Sample.Latency::p99).isPresent());
        TextTable table = new TextTable();
        table.add(heading(comparison, latency));
        for (Series series : comparison.series()) {
            if (series.hasResult()) {
                table.add(row(comparison, series, latency));
            } else {
                table.addSpanning(series.name(), String.valueOf(series.trouble()));
            }
        }
        StringBuilder out = new StringBuilder();
        out.append(measure.title()).append(" (").append(measure.unit());
        out.append(measure.higherIsBetter() ? "; higher is better)" : "; lower is better)")
                .append('\n');
        out.append(table.render());
        for (Series series : comparison.series()) {
            appendNotes(out, series);
        }
        Surroundings surroundings = comparison.surroundings();
        if (surroundings != null) {
            out.append("  ").append(surroundings.asText()).append('\n');
        }
        return out.toString();
    }

    private static List<String> heading(Comparison comparison, boolean latency) {
        List<String> cells = new ArrayList<>(latency ? List.of("", "p50", "p99", "p99.9") : List.of("", "median"));
        cells.add("min");
        cells.add("max");
        if (comparison.series().stream().anyMatch(series -> series.cpu().isPresent())) {
            cells.add("CPU µs each");
        }
        comparison.peers().forEach(peer -> cells.add("/ " + peer.name()));
        return cells;
    }

    private static List<String> row(Comparison comparison, Series series, boolean latency) {
        List<String> cells = new ArrayList<>();
        cells.add(series.name());
        cells.add(figure(series.median()));
        if (latency) {
            cells.add(series.median(Sample.Latency::p99)
                    .map(ComparisonText::figure)
                    .orElse(""));
            cells.add(series.median(Sample.Latency::p999)
                    .map(ComparisonText::figure)
                    .orElse(""));
        }
        cells.add(figure(series.min()));
        cells.add(figure(series.max()));
        if (comparison.series().stream().anyMatch(each -> each.cpu().isPresent())) {
            cells.add(series.cpu().map(ComparisonText::figure).orElse(""));
        }
        for (Series peer : comparison.peers()) {
            cells.add(Interval.of(series, peer).map(Interval::asText).orElse(""));
        }
        return cells;
    }

    private static void appendNotes(StringBuilder out, Series series) {
        if (series.isNoisy()) {
            out.append("  noisy: ").append(series.name()).append(", max/min over the rounds is ");
            out.append(ratio(series.spread())).append("; read its ratios with care\n");
        }
        if (series.note() != null) {
            out.append("  note: ")
                    .append(series.name())
                    .append(", ")
                    .append(series.note())
                    .append('\n');
        }
        if (series.hasResult() && series.trouble() != null) {
            out.append("  incomplete: ")
                    .append(series.name())
                    .append(", ")
                    .append(series.samples().size());
            out.append(" rounds, then ").append(series.trouble()).append('\n');
        }
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Writes three to four digits of small figures and all whole digits of large ones. */
    private static String figure(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        String format = value >= 1000 ? "%.0f" : value >= 100 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
