package org.railyard.cli.lab;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.base.report.Distribution;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.NumberText;
import org.railyard.base.report.Plot;
import org.railyard.lab.check.Violation;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.run.Campaign;
import org.railyard.lab.run.RunResult;

/** The report of {@code lab run}: seeds, calls and violations. Its size is bounded, however many seeds there are. */
final class LabRunPage {
    /** Most seeds with violations whose last events are told. */
    private static final int MAX_TOLD = 20;

    private static final double SECOND = 1e9;
    private static final double HALF = 0.5;

    private final String scenario;
    private final TorusSettings.@Nullable Fidelity fidelity;
    private final Distribution messages = new Distribution();
    private final Distribution seconds = new Distribution();
    private final Map<Outcome, Distribution> calls = new EnumMap<>(Outcome.class);
    private final Map<String, Integer> checkers = new TreeMap<>();
    private final List<RunResult> dirty = new ArrayList<>();

    LabRunPage(String scenario, TorusSettings.@Nullable Fidelity fidelity) {
        this.scenario = scenario;
        this.fidelity = fidelity;
        for (Outcome outcome : Outcome.values()) {
            calls.put(outcome, new Distribution());
        }
    }

    /** Adds what became of a seed. */
    void add(RunResult result) {
        messages.add((double) result.messages());
        seconds.add(result.virtualNanos() / SECOND);
        calls.forEach((outcome, values) ->
                values.add(result.outcomes().getOrDefault(outcome, 0L).doubleValue()));
        result.violations().stream()
                .map(Violation::checker)
                .distinct()
                .forEach(checker -> checkers.merge(checker, 1, Integer::sum));
        if (!result.isClean() && dirty.size() < MAX_TOLD) {
            dirty.add(result);
        }
    }

    void fill(HtmlPage page, Campaign.Summary summary) {
        page.text("%d seeds run, %d with violations; %d messages in %s s of virtual and %s s of processor time"
                .formatted(
                        summary.runs(),
                        summary.dirty(),
                        summary.messages(),
                        NumberText.text(summary.virtualNanos() / SECOND),
                        NumberText.text(summary.cpuNanos() / SECOND)));
        if (!checkers.isEmpty()) {
            List<Plot.Bar> bars = new ArrayList<>();
            checkers.forEach((checker, count) -> bars.add(new Plot.Bar(checker, count)));
            page.section("Seeds with violations, by checker").plot(Plot.bars("seeds", bars));
        }
        page.section("Calls of a seed, by outcome");
        page.table(
                List.of("outcome", "all seeds", "least", "median", "most"),
                calls.entrySet().stream()
                        .map(each -> row(each.getKey(), summary, each.getValue()))
                        .toList());
        calls.forEach((outcome, values) -> histogram(page, "calls that ended so: " + text(outcome), values));
        histogram(page, "messages of a seed", messages);
        histogram(page, "virtual time of a seed, s", seconds);
        dirty.forEach(result -> tell(page, result));
        if (summary.dirty() > dirty.size()) {
            page.text("and %d more seeds with violations".formatted(summary.dirty() - dirty.size()));
        }
        page.text("Quantiles and bars are right to 3 %.");
    }

    private static String text(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static List<Object> row(Outcome outcome, Campaign.Summary summary, Distribution values) {
        return List.of(
                text(outcome),
                summary.outcomes().getOrDefault(outcome, 0L),
                NumberText.text(values.min()),
                NumberText.text(values.quantile(HALF)),
                NumberText.text(values.max()));
    }

    private static void histogram(HtmlPage page, String what, Distribution values) {
        if (values.max() > values.min()) {
            page.section("Distribution of " + what).plot(Plot.histogram(what, "seeds", values));
        }
    }

    private void tell(HtmlPage page, RunResult result) {
        Violation first = result.violations().getFirst();
        page.section("Seed %d violates '%s'".formatted(result.seed(), first.checker()));
        for (Violation violation : result.violations()) {
            page.text(String.format(
                    Locale.ROOT,
                    "%.6f ms, %s: %s",
                    violation.timeNanos() / 1e6,
                    violation.checker(),
                    violation.text()));
        }
        page.pre("railyard lab replay %s%nrailyard console %s"
                .formatted(
                        RunInput.arguments(scenario, "", result.seed(), fidelity),
                        RunInput.arguments(scenario, "--lab ", result.seed(), fidelity)));
        page.text("The last events before the first violation:").pre(String.join("\n", first.journal()));
    }
}
