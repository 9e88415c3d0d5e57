package org.railyard.base.report;

import java.util.List;

/**
 * A report: one page of HTML that needs no other file, no network and no script, which its Content-Security-Policy
 * forbids. All text that is put in is escaped; plots are those of {@link Plot}. Not thread-safe.
 */
public final class HtmlPage {
    /** Most rows of a table; how many more there are is told below it. */
    public static final int MAX_ROWS = 1000;

    private static final String HEAD = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>TITLE</title>
        <style>
        body { font: 14px sans-serif; margin: 24px; max-width: 1000px; color: #222222; background: #ffffff; }
        h1 { font-size: 20px; } h2 { font-size: 16px; margin-top: 28px; }
        pre { background: #f4f4f4; padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
        table { border-collapse: collapse; } td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #dddddd; }
        td:first-child, th:first-child { text-align: left; }
        svg { display: block; } svg text { font: 11px sans-serif; fill: #333333; }
        .bar { fill: #1f5fbf; } .axis { fill: none; stroke: #444444; } .spread { stroke: #222222; stroke-width: 2; }
        polyline { fill: none; stroke-width: 1.8; }
        .line0 { stroke: #1f5fbf; } .line1 { stroke: #c2185b; } .line2 { stroke: #14733b; }
        .line3 { stroke: #c2570c; } .line4 { stroke: #8430ce; } .line5 { stroke: #00707a; }
        </style></head><body>
        <h1>TITLE</h1>
        """;

    private final StringBuilder text = new StringBuilder();

    /**
     * Begins a page.
     *
     * @param title what it is about
     * @param command the command line that made it, to be repeated
     */
    public HtmlPage(String title, String command) {
        text.append(HEAD.replace("TITLE", Html.escaped(title)));
        pre(command);
    }

    /** Begins a section. */
    public HtmlPage section(String title) {
        text.append("<h2>").append(Html.escaped(title)).append("</h2>\n");
        return this;
    }

    /** Adds a paragraph. */
    public HtmlPage text(String said) {
        text.append("<p>").append(Html.escaped(said)).append("</p>\n");
        return this;
    }

    /** Adds a paragraph that is not to be overlooked. */
    public HtmlPage remark(String said) {
        text.append("<p><b>").append(Html.escaped(said)).append("</b></p>\n");
        return this;
    }

    /** Adds lines as they are, such as commands. */
    public HtmlPage pre(String lines) {
        text.append("<pre>").append(Html.escaped(lines)).append("</pre>\n");
        return this;
    }

    /**
     * Adds a plot.
     *
     * @param svg what a method of {@link Plot} returned
     */
    public HtmlPage plot(String svg) {
        text.append(svg);
        return this;
    }

    /** Adds a table; of more than {@link #MAX_ROWS} rows the first. */
    public HtmlPage table(List<String> heads, List<? extends List<?>> rows) {
        text.append("<table><tr>");
        heads.forEach(head -> text.append("<th>").append(Html.escaped(head)).append("</th>"));
        text.append("</tr>\n");
        for (List<?> row : rows.subList(0, Math.min(MAX_ROWS, rows.size()))) {
            text.append("<tr>");
            row.forEach(cell -> text.append("<td>")
                    .append(Html.escaped(String.valueOf(cell)))
                    .append("</td>"));
            text.append("</tr>\n");
        }
        text.append("</table>\n");
        return rows.size() > MAX_ROWS ? text("and %d more".formatted(rows.size() - MAX_ROWS)) : this;
    }

    /** Returns the page. */
    public String html() {
        return text + "</body></html>\n";
    }
}
