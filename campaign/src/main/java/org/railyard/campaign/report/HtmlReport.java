package org.railyard.campaign.report;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import org.railyard.base.report.Distribution;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.NumberText;
import org.railyard.base.report.Plot;
import org.railyard.campaign.work.RowColumn;
import org.railyard.campaign.work.Work;
import org.railyard.fabric.torus.grid.TorusShape;

/** Writes the page of a campaign: one file of HTML that needs no other, and no script. */
public final class HtmlReport {
    private static final int MAX_GROUPS = 200;
    private static final int MAX_NAMED = 200;
    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    private final Work work;
    private final RowSummary summary;

    /** Prepares it. */
    public HtmlReport(Work work, RowSummary summary) {
        this.work = work;
        this.summary = summary;
    }

    /**
     * Writes it.
     *
     * @param command the command that made the campaign
     * @param inputs the folder of inputs, for commands that run a case again
     * @param remarks what is to be known, such as chunks that failed
     */
    public void write(Writer out, String command, Path inputs, List<String> remarks) throws IOException {
        HtmlPage page = new HtmlPage(work.title(), command);
        page.text("%d of %d cases: %s.".formatted(summary.all().cases(), work.cases(), summary.verdictLine()));
        remarks.forEach(page::remark);
        if (!summary.reasons().isEmpty()) {
            List<Plot.Bar> bars = new ArrayList<>();
            summary.reasons().forEach((reason, count) -> bars.add(new Plot.Bar(reason, (double) count)));
            page.section("Failures by kind").plot(Plot.bars("cases", bars));
        }
        maps(page);
        curves(page);
        histograms(page);
        groups(page);
        named(page, inputs);
        page.text("Quantiles and bars are right to 3 %. All rows are in results.csv.");
        out.write(page.html());
    }

    private void maps(HtmlPage page) {
        if (summary.map().isEmpty()) {
            return;
        }
        PlaceFigures map = summary.map().orElseThrow();
        if (summary.badCases() > 0) {
            map(page, "share of cases that did not end well", map, map::badShare);
        }
        map(page, "mean of " + work.mapped(), map, map::mean);
    }

    private void map(HtmlPage page, String what, PlaceFigures map, IntToDoubleFunction values) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        TorusShape shape = map.shape();
        for (int position = 0; position < shape.positions(); position++) {
            double value = values.applyAsDouble(position);
            least = Double.isNaN(value) ? least : Math.min(least, value);
            most = Double.isNaN(value) ? most : Math.max(most, value);
        }
        if (most < least) {
            return;
        }
        double from = least;
        double span = most > least ? most - least : 1;
        page.section("Positions that hurt: " + what)
                .text("White is %s, red is %s, grey: no case. x to the right, y up."
                        .formatted(NumberText.text(least), NumberText.text(most)))
                .plot(Plot.map(
                        new Plot.Cells(shape.radix(0), shape.radix(1), shape.radix(2)),
                        (x, y, z) -> (values.applyAsDouble(shape.position(x, y, z)) - from) / span,
                        (x, y, z) -> text(map, shape.position(x, y, z))));
    }

    private String text(PlaceFigures map, int position) {
        double mean = map.mean(position);
        return "%s: %d of %d cases not well; mean of %s: %s"
                .formatted(
                        map.shape().name(position),
                        map.bad(position),
                        map.cases(position),
                        work.mapped(),
                        Double.isNaN(mean) ? "none" : NumberText.text(mean));
    }

    /** Where groups are numbers, such as loads: figures that are times or shares, over them. */
    private void curves(HtmlPage page) {
        List<RowSummary.Group> groups = new ArrayList<>(summary.groups());
        if (groups.size() < 2 || groups.stream().anyMatch(group -> !group.name().matches("[0-9]*\\.?[0-9]+"))) {
            return;
        }
        groups.sort(Comparator.comparingDouble(group -> Double.parseDouble(group.name())));
        List<RowColumn> figures = summary.figures();
        for (int i = 0; i < figures.size(); i++) {
            int its = i;
            page.section(figures.get(i).meaning())
                    .plot(Plot.lines(
                            groupName(),
                            List.of(
                                    line(
                                            "median of the seeds",
                                            groups,
                                            group -> group.figures().get(its).quantile(HALF)),
                                    line(
                                            "largest",
                                            groups,
                                            group -> group.figures().get(its).max()))));
        }
    }

    private static Plot.Line line(
            String name, List<RowSummary.Group> groups, ToDoubleFunction<RowSummary.Group> figure) {
        return new Plot.Line(
                name,
                groups.stream()
                        .map(group -> new Plot.Point(Double.parseDouble(group.name()), figure.applyAsDouble(group)))
                        .toList());
    }

    private String groupName() {
        return work.columns().stream()
                .filter(column -> column.role() == RowColumn.Role.GROUP)
                .map(RowColumn::name)
                .findFirst()
                .orElse("");
    }

    private void histograms(HtmlPage page) {
        List<RowColumn> figures = summary.figures();
        for (int i = 0; i < figures.size(); i++) {
            Distribution figure = summary.all().figures().get(i);
            if (figure.max() > figure.min()) {
                page.section("Distribution of " + figures.get(i).name())
                        .plot(Plot.histogram(figures.get(i).meaning(), "cases", figure))
                        .text("median %s, mean %s, 99 %% %s, largest %s"
                                .formatted(
                                        NumberText.text(figure.quantile(HALF)),
                                        NumberText.text(figure.mean()),
                                        NumberText.text(figure.quantile(MOST)),
                                        NumberText.text(figure.max())));
            } else if (figure.count() > 0) {
                page.text("%s is %s in all cases that have it."
                        .formatted(figures.get(i).name(), NumberText.text(figure.max())));
            }
        }
    }

    private void groups(HtmlPage page) {
        if (summary.groups().isEmpty()) {
            return;
        }
        List<String> heads = new ArrayList<>(List.of(groupName(), "cases", "not well"));
        for (RowColumn column : summary.figures()) {
            heads.add(column.name() + " median");
            heads.add(column.name() + " 99 %");
        }
        List<List<Object>> rows = new ArrayList<>();
        for (RowSummary.Group group :
                summary.groups().stream().limit(MAX_GROUPS).toList()) {
            List<Object> row = new ArrayList<>(List.of(group.name(), group.cases(), group.cases() - group.good()));
            for (Distribution figure : group.figures()) {
                row.add(NumberText.text(figure.quantile(HALF)));
                row.add(NumberText.text(figure.quantile(MOST)));
            }
            rows.add(row);
        }
        page.section("By " + groupName()).table(heads, rows);
        if (summary.groups().size() > MAX_GROUPS) {
            page.text("%d more are in summary.csv.".formatted(summary.groups().size() - MAX_GROUPS));
        }
    }

    private void named(HtmlPage page, Path inputs) {
        if (summary.bad().isEmpty()) {
            return;
        }
        List<RowSummary.Bad> first = summary.bad().stream().limit(MAX_NAMED).toList();
        StringBuilder lines = new StringBuilder();
        for (RowSummary.Bad bad : first) {
            lines.append("# case %d: %s, %s%n%s%n"
                    .formatted(bad.number(), bad.verdict(), bad.reason(), work.replay(bad.number(), inputs)));
        }
        page.section("Cases that did not end well")
                .text("The first %d of %d, with the commands that run them again."
                        .formatted(first.size(), summary.badCases()))
                .pre(lines.toString());
    }
}
