package org.railyard.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.Plot;

/** A whole run as a page: medians of contenders side by side, and their rounds. */
public final class ComparisonPage {
    private ComparisonPage() {}

    /** Fills a page. */
    public static void fill(HtmlPage page, MachineFacts machine, List<Comparison> comparisons) {
        page.pre(machine.asText());
        for (Comparison comparison : comparisons) {
            Measure measure = comparison.measure();
            page.section(measure.title() + (measure.higherIsBetter() ? ": higher is better" : ": lower is better"));
            List<Plot.Bar> bars = new ArrayList<>();
            List<Plot.Line> rounds = new ArrayList<>();
            for (Series series : comparison.series()) {
                if (series.hasResult()) {
                    bars.add(new Plot.Bar(series.name(), series.median(), series.min(), series.max()));
                    rounds.add(rounds(series));
                }
            }
            if (!bars.isEmpty()) {
                page.plot(Plot.bars(measure.unit(), bars))
                        .text("Medians; the thin line is from the least to the most.");
            }
            if (rounds.stream().anyMatch(line -> line.points().size() > 1)) {
                page.plot(Plot.lines("round", rounds));
            }
            page.pre(ComparisonText.of(comparison));
        }
    }

    private static Plot.Line rounds(Series series) {
        double[] values = series.values();
        return new Plot.Line(
                series.name(),
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Plot.Point(i + 1.0, values[i]))
                        .toList());
    }
}
