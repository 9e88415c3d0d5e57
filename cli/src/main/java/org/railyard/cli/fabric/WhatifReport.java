package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.railyard.base.report.Distribution;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.NumberText;
import org.railyard.base.report.Plot;
import org.railyard.base.text.TextColumns;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.failure.FailureFigures;
import org.railyard.fabric.whatif.FailureStudy.Outcome;
import org.railyard.fabric.whatif.FailureStudy.Verdict;

/** What failures did, as a table or a page for people, or as a document for programs. */
final class WhatifReport {
    private static final List<String> HEADS = List.of(
            "failed", "verdict", "cut off", "SLs changed", "entries changed", "mean hops", "longest", "most load");

    /** Most failures whose reasons stand on a page. */
    private static final int MAX_REASONS = 50;

    private final Fabric fabric;
    private final Outcome baseline;
    private final List<Outcome> outcomes;

    WhatifReport(Fabric fabric, Outcome baseline, List<Outcome> outcomes) {
        this.fabric = fabric;
        this.baseline = baseline;
        this.outcomes = List.copyOf(outcomes);
    }

    /** Returns the table: the fabric as it is, then the worst failures, then a line about all. */
    List<String> lines(int rows) {
        TextColumns table = new TextColumns(HEADS.toArray(new String[0]));
        table.add(cells(baseline).toArray());
        worstFirst().limit(rows).forEach(outcome -> table.add(cells(outcome).toArray()));
        List<String> lines = new ArrayList<>(table.lines());
        if (outcomes.size() > rows) {
            lines.add("and " + (outcomes.size() - rows) + " more; --rows N shows more");
        }
        lines.add(summary());
        if (outcomes.size() == 1) {
            Outcome only = outcomes.getFirst();
            only.reasons().forEach(reason -> lines.add("  " + reason));
            only.changes().forEach(change -> lines.add("  " + change));
        }
        return lines;
    }

    private Stream<Outcome> worstFirst() {
        return outcomes.stream()
                .sorted(Comparator.comparing((Outcome outcome) -> outcome.verdict() == Verdict.PROVED)
                        .thenComparing(WhatifReport::mostLoad, Comparator.reverseOrder()));
    }

    private static long mostLoad(Outcome outcome) {
        FailureFigures figures = outcome.figures();
        return figures == null ? 0 : figures.mostLoad();
    }

    /** Returns the cells of a row, empty where a failure has no figures. */
    private static List<Object> cells(Outcome outcome) {
        FailureFigures figures = outcome.figures();
        if (figures == null) {
            return List.of(outcome.failed(), word(outcome), "", "", "", "", "", "");
        }
        return List.of(
                outcome.failed(),
                word(outcome),
                figures.cutOff(),
                figures.slPairsChanged(),
                figures.entriesChanged(),
                String.format(Locale.ROOT, "%.2f", figures.meanHops()),
                figures.longest(),
                figures.mostLoad());
    }

    private static String word(Outcome outcome) {
        return outcome.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private long count(Verdict verdict) {
        return outcomes.stream().filter(outcome -> outcome.verdict() == verdict).count();
    }

    private String summary() {
        long sls = outcomes.stream()
                .map(Outcome::figures)
                .mapToLong(figures -> figures == null ? 0 : figures.slPairsChanged())
                .sum();
        String text = "%d failures: %d proved, %d refused, %d with a credit loop, %d not checkable; %d SLs changed"
                .formatted(
                        outcomes.size(),
                        count(Verdict.PROVED),
                        count(Verdict.REFUSED),
                        count(Verdict.LOOP),
                        count(Verdict.NOT_CHECKABLE),
                        sls);
        return outcomes.size() == 1 ? text.replace("1 failures", "1 failure") : text;
    }

    /** Fills a page with plots and the worst failures. */
    void fill(HtmlPage page) {
        page.text(summary());
        List<Plot.Bar> verdicts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            verdicts.add(
                    new Plot.Bar(verdict.name().toLowerCase(Locale.ROOT).replace('_', ' '), (double) count(verdict)));
        }
        page.section("Verdicts").plot(Plot.bars("failures", verdicts));
        histogram(page, "ways over the busiest cable", FailureFigures::mostLoad);
        histogram(page, "entries of forwarding tables that change", FailureFigures::entriesChanged);
        histogram(page, "SLs that change", FailureFigures::slPairsChanged);
        histogram(page, "mean number of hops", FailureFigures::meanHops);
        histogram(page, "hosts cut off", FailureFigures::cutOff);
        List<List<Object>> rows = new ArrayList<>();
        rows.add(cells(baseline));
        worstFirst().map(WhatifReport::cells).forEach(rows::add);
        page.section("All failures, the worst first").table(HEADS, rows);
        worstFirst()
                .filter(outcome -> outcome.verdict() != Verdict.PROVED)
                .limit(MAX_REASONS)
                .forEach(outcome -> page.section(outcome.failed() + ": " + word(outcome))
                        .pre(String.join("\n", outcome.reasons())));
    }

    private void histogram(HtmlPage page, String what, ToDoubleFunction<FailureFigures> figure) {
        Distribution values = new Distribution();
        outcomes.stream()
                .map(Outcome::figures)
                .filter(Objects::nonNull)
                .forEach(figures -> values.add(figure.applyAsDouble(figures)));
        FailureFigures whole = baseline.figures();
        String before =
                whole == null ? "" : "Without a failure: " + NumberText.text(figure.applyAsDouble(whole)) + ". ";
        page.section(what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1));
        if (values.max() > values.min()) {
            page.plot(Plot.histogram(what, "failures", values));
        }
        page.text(before
                + (values.count() == 0
                        ? "No failure has this figure."
                        : "With one: %s to %s, mean %s."
                                .formatted(
                                        NumberText.text(values.min()),
                                        NumberText.text(values.max()),
                                        NumberText.text(values.mean()))));
    }

    /** Returns everything. */
    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("baseline", map(baseline));
        document.put("failures", outcomes.stream().map(this::map).toList());
        Map<String, Object> verdicts = new LinkedHashMap<>();
        for (Verdict verdict : Verdict.values()) {
            verdicts.put(verdict.name().toLowerCase(Locale.ROOT), count(verdict));
        }
        document.put("verdicts", verdicts);
        return document;
    }

    private Map<String, Object> map(Outcome outcome) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("failed", outcome.failed());
        map.put("verdict", outcome.verdict().name().toLowerCase(Locale.ROOT));
        if (!outcome.reasons().isEmpty()) {
            map.put("reasons", outcome.reasons());
        }
        FailureFigures figures = outcome.figures();
        if (figures != null) {
            map.put("cut_off", figures.cutOff());
            map.put("sl_pairs", figures.slPairs());
            map.put("sl_pairs_changed", figures.slPairsChanged());
            map.put("entries", figures.entries());
            map.put("entries_changed", figures.entriesChanged());
            map.put("multicast_masks_changed", figures.masksChanged());
            map.put("mean_hops", Math.round(figures.meanHops() * 1000) / 1000.0);
            map.put("longest", figures.longest());
            map.put("mean_load", Math.round(figures.meanLoad() * 10) / 10.0);
            map.put("most_load", figures.mostLoad());
            if (figures.busiest() != Fabric.NONE) {
                map.put("busiest", fabric.portName(figures.busiest()));
            }
        }
        if (!outcome.changes().isEmpty()) {
            map.put("changes", outcome.changes());
        }
        return map;
    }
}
