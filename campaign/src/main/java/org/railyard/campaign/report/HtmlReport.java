package org.railyard.campaign.report;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.railyard.campaign.work.RowColumn;
import org.railyard.campaign.work.Work;

/** Writes the page of a campaign: one file of HTML that needs no other, and no script. */
public final class HtmlReport {
    private static final int MAX_GROUPS = 200;
    private static final int MAX_NAMED = 200;
    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    private static final String HEAD = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>TITLE</title>
        <style>
        body { font: 14px sans-serif; margin: 24px; max-width: 1000px; color: #222222; }
        h1 { font-size: 20px; } h2 { font-size: 16px; margin-top: 28px; }
        pre { background: #f4f4f4; padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
        table { border-collapse: collapse; } td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #dddddd; }
        td:first-child, th:first-child { text-align: left; }
        svg text { font: 11px sans-serif; fill: #333333; }
        .bar { fill: #1f5fbf; } .axis { fill: none; stroke: #444444; }
        .low { fill: none; stroke: #1f5fbf; stroke-width: 1.2; } .high { fill: none; stroke: #c2185b; stroke-width: 2.4; }
        </style></head><body>
        <h1>TITLE</h1>
        """;

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
        out.write(HEAD.replace("TITLE", Html.escaped(work.title())));
        out.write("<pre>" + Html.escaped(command) + "</pre>\n");
        out.write("<p>%d of %d cases: %s.</p>\n"
                .formatted(summary.all().cases(), work.cases(), Html.escaped(summary.verdictLine())));
        for (String remark : remarks) {
            out.write("<p><b>" + Html.escaped(remark) + "</b></p>\n");
        }
        if (!summary.reasons().isEmpty()) {
            out.write("<h2>Failures by kind</h2>\n" + Plot.bars(summary.reasons()));
        }
        maps(out);
        curves(out);
        histograms(out);
        groups(out);
        named(out, inputs);
        out.write("<p>%s</p></body></html>\n"
                .formatted("Quantiles and bars are right to 3 %. All rows are in results.csv."));
    }

    private void maps(Writer out) throws IOException {
        if (summary.map().isEmpty()) {
            return;
        }
        PlaceFigures map = summary.map().orElseThrow();
        if (summary.badCases() > 0) {
            map(out, "share of cases that did not end well", map, map::badShare);
        }
        map(out, "mean of " + work.mapped(), map, map::mean);
    }

    private void map(Writer out, String what, PlaceFigures map, IntToDoubleFunction values) throws IOException {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (int position = 0; position < map.shape().positions(); position++) {
            double value = values.applyAsDouble(position);
            least = Double.isNaN(value) ? least : Math.min(least, value);
            most = Double.isNaN(value) ? most : Math.max(most, value);
        }
        if (most < least) {
            return;
        }
        double from = least;
        double span = most > least ? most - least : 1;
        out.write("<h2>Positions that hurt: %s</h2>\n".formatted(Html.escaped(what)));
        out.write("<p>White is %s, red is %s, grey: no case. x to the right, y up.</p>\n"
                .formatted(RowSummary.text(least), RowSummary.text(most)));
        out.write(Plot.map(
                map.shape(),
                position -> (values.applyAsDouble(position) - from) / span,
                position -> text(map, position)));
    }

    private String text(PlaceFigures map, int position) {
        double mean = map.mean(position);
        return "%s: %d of %d cases not well; mean of %s: %s"
                .formatted(
                        map.shape().name(position),
                        map.bad(position),
                        map.cases(position),
                        work.mapped(),
                        Double.isNaN(mean) ? "none" : RowSummary.text(mean));
    }

    /** Where groups are numbers, such as loads: figures that are times or shares, over them. */
    private void curves(Writer out) throws IOException {
        List<RowSummary.Group> groups = List.copyOf(summary.groups());
        if (groups.size() < 2 || groups.stream().anyMatch(group -> !group.name().matches("[0-9]*\\.?[0-9]+"))) {
            return;
        }
        List<RowColumn> figures = summary.figures();
        for (int i = 0; i < figures.size(); i++) {
            List<Plot.Point> points = new ArrayList<>();
            for (RowSummary.Group group : groups) {
                Distribution figure = group.figures().get(i);
                points.add(new Plot.Point(Double.parseDouble(group.name()), figure.quantile(HALF), figure.max()));
            }
            points.sort(Comparator.comparingDouble(Plot.Point::x));
            out.write("<h2>%s</h2>\n".formatted(Html.escaped(figures.get(i).meaning())));
            out.write(Plot.curves(groupName(), "median of the seeds", "largest", points));
        }
    }

    private String groupName() {
        return work.columns().stream()
                .filter(column -> column.role() == RowColumn.Role.GROUP)
                .map(RowColumn::name)
                .findFirst()
                .orElse("");
    }

    private void histograms(Writer out) throws IOException {
        List<RowColumn> figures = summary.figures();
        for (int i = 0; i < figures.size(); i++) {
            Distribution figure = summary.all().figures().get(i);
            if (figure.max() > figure.min()) {
                out.write("<h2>Distribution of %s</h2>\n"
                        .formatted(Html.escaped(figures.get(i).name())));
                out.write(Plot.histogram(figures.get(i).meaning(), figure));
                out.write("<p>median %s, mean %s, 99 %% %s, largest %s</p>\n"
                        .formatted(
                                RowSummary.text(figure.quantile(HALF)),
                                RowSummary.text(figure.mean()),
                                RowSummary.text(figure.quantile(MOST)),
                                RowSummary.text(figure.max())));
            } else if (figure.count() > 0) {
                out.write("<p>%s is %s in all cases that have it.</p>\n"
                        .formatted(Html.escaped(figures.get(i).name()), RowSummary.text(figure.max())));
            }
        }
    }

    private void groups(Writer out) throws IOException {
        if (summary.groups().isEmpty()) {
            return;
        }
        out.write("<h2>By %s</h2>\n<table><tr><th>%s</th><th>cases</th><th>not well</th>"
                .formatted(groupName(), groupName()));
        for (RowColumn column : summary.figures()) {
            out.write("<th>%1$s median</th><th>%1$s 99 %%</th>".formatted(Html.escaped(column.name())));
        }
        out.write("</tr>\n");
        for (RowSummary.Group group :
                summary.groups().stream().limit(MAX_GROUPS).toList()) {
            out.write("<tr><td>%s</td><td>%d</td><td>%d</td>"
                    .formatted(Html.escaped(group.name()), group.cases(), group.cases() - group.good()));
            for (Distribution figure : group.figures()) {
                out.write("<td>%s</td><td>%s</td>"
                        .formatted(RowSummary.text(figure.quantile(HALF)), RowSummary.text(figure.quantile(MOST))));
            }
            out.write("</tr>\n");
        }
        out.write("</table>\n");
        if (summary.groups().size() > MAX_GROUPS) {
            out.write("<p>%d more are in summary.csv.</p>\n"
                    .formatted(summary.groups().size() - MAX_GROUPS));
        }
    }

    private void named(Writer out, Path inputs) throws IOException {
        if (summary.bad().isEmpty()) {
            return;
        }
        List<RowSummary.Bad> first = summary.bad().stream().limit(MAX_NAMED).toList();
        out.write(
                "<h2>Cases that did not end well</h2>\n<p>The first %d of %d, with the commands that run them again.</p>\n<pre>"
                        .formatted(first.size(), summary.badCases()));
        for (RowSummary.Bad bad : first) {
            out.write(Html.escaped("# case %d: %s, %s%n%s%n"
                    .formatted(bad.number(), bad.verdict(), bad.reason(), work.replay(bad.number(), inputs))));
        }
        out.write("</pre>\n");
    }
}
