package org.railyard.campaign.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.railyard.fabric.torus.grid.TorusShape;

/** Draws plots as SVG that stands within a page of HTML. All text is escaped. */
final class Plot {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 220;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 24;
    private static final int BOTTOM = 40;
    private static final int BARS = 40;
    private static final int ROW = 22;
    private static final int NAME = 220;
    private static final int CELL = 16;
    private static final int GAP = 18;

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    /** A point of a curve: two values above a place. */
    record Point(double x, double low, double high) {}

    private Plot(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /** Draws how often which values are, in bars of the same width from the least to the largest. */
    static String histogram(String unit, Distribution values) {
        Plot plot = new Plot(WIDTH, HEIGHT);
        double span = values.max() - values.min();
        long[] bars = new long[BARS];
        values.counts().forEach((value, count) -> {
            double share = span == 0 ? 0 : (value - values.min()) / span;
            bars[Math.clamp((long) (share * BARS), 0, BARS - 1)] += count;
        });
        long most = 1;
        for (long bar : bars) {
            most = Math.max(most, bar);
        }
        double step = (double) (WIDTH - LEFT - RIGHT) / BARS;
        double room = HEIGHT - TOP - BOTTOM;
        for (int i = 0; i < BARS; i++) {
            double tall = room * bars[i] / most;
            plot.rectangle(LEFT + i * step, HEIGHT - BOTTOM - tall, step - 1, tall, "bar", bars[i] + " cases");
        }
        plot.axes();
        plot.text(LEFT - 6, TOP + 4, "end", Long.toString(most));
        plot.text(LEFT - 6, HEIGHT - BOTTOM, "end", "0");
        plot.text(LEFT, HEIGHT - BOTTOM + 16, "start", RowSummary.text(values.min()));
        plot.text(WIDTH - RIGHT, HEIGHT - BOTTOM + 16, "end", RowSummary.text(values.max()));
        plot.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 6, "middle", unit);
        return plot.svg();
    }

    /** Draws a bar for each name. */
    static String bars(SortedMap<String, Long> counts) {
        Plot plot = new Plot(WIDTH, counts.size() * ROW + 8);
        long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
        int row = 0;
        for (Map.Entry<String, Long> each : counts.entrySet()) {
            double y = row * ROW + 4.0;
            double wide = (double) (WIDTH - NAME - 90) * each.getValue() / most;
            plot.text(NAME - 8, y + 14, "end", each.getKey());
            plot.rectangle(NAME, y, Math.max(1, wide), ROW - 6, "bar", each.getValue() + " cases");
            plot.text(NAME + wide + 6, y + 14, "start", Long.toString(each.getValue()));
            row++;
        }
        return plot.svg();
    }

    /** Draws two curves over the same places, ascending. */
    static String curves(String below, String low, String high, List<Point> points) {
        Plot plot = new Plot(WIDTH, HEIGHT);
        double first = points.getFirst().x();
        double span = Math.max(points.getLast().x() - first, Double.MIN_NORMAL);
        double most = points.stream().mapToDouble(Point::high).max().orElse(1);
        double top = Math.max(most, Double.MIN_NORMAL);
        StringBuilder lowLine = new StringBuilder();
        StringBuilder highLine = new StringBuilder();
        for (Point point : points) {
            double x = LEFT + (WIDTH - LEFT - RIGHT) * (point.x() - first) / span;
            lowLine.append(pair(x, y(point.low() / top)));
            highLine.append(pair(x, y(point.high() / top)));
        }
        plot.line(lowLine, "low");
        plot.line(highLine, "high");
        plot.axes();
        plot.text(LEFT - 6, TOP + 4, "end", RowSummary.text(most));
        plot.text(LEFT - 6, HEIGHT - BOTTOM, "end", "0");
        plot.text(LEFT, HEIGHT - BOTTOM + 16, "start", RowSummary.text(first));
        plot.text(
                WIDTH - RIGHT,
                HEIGHT - BOTTOM + 16,
                "end",
                RowSummary.text(points.getLast().x()));
        plot.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 6, "middle", below);
        plot.text(LEFT + 8, 14, "start", "thin: " + low + ", thick: " + high);
        return plot.svg();
    }

    private static double y(double share) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
    }

    /** Draws a torus, a panel for each coordinate of the third dimension: from white to red by a value from 0 to 1. */
    static String map(TorusShape shape, IntToDoubleFunction share, IntFunction<String> text) {
        int columns = shape.radix(0);
        int rows = shape.radix(1);
        int panels = shape.radix(2);
        int across = Math.max(1, Math.min(panels, 900 / (columns * CELL + GAP)));
        int down = (panels + across - 1) / across;
        Plot plot = new Plot(across * (columns * CELL + GAP) + GAP, down * (rows * CELL + 2 * GAP));
        for (int position = 0; position < shape.positions(); position++) {
            int panel = shape.coordinate(position, 2);
            int row = panel / across;
            double left = GAP + panel % across * (double) (columns * CELL + GAP);
            double top = GAP + row * (double) (rows * CELL + 2 * GAP);
            double x = left + shape.coordinate(position, 0) * (double) CELL;
            double y = top + (rows - 1 - shape.coordinate(position, 1)) * (double) CELL;
            if (position == shape.position(0, 0, panel)) {
                plot.text(left, top - 5, "start", "z = " + panel);
            }
            plot.cell(x, y, share.applyAsDouble(position), text.apply(position));
        }
        return plot.svg();
    }

    private void cell(double x, double y, double share, String text) {
        int pale = (int) Math.round(255 * (1 - Math.clamp(Double.isNaN(share) ? 0 : share, 0, 1)));
        String fill = Double.isNaN(share) ? "#eeeeee" : "#%02x%02x%02x".formatted(200 + 55 * pale / 255, pale, pale);
        body.append("<rect x=\"%s\" y=\"%s\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#999999\">"
                .formatted(number(x), number(y), CELL - 1, CELL - 1, fill));
        body.append("<title>").append(Html.escaped(text)).append("</title></rect>\n");
    }

    private void rectangle(double x, double y, double wide, double tall, String style, String text) {
        body.append("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n"
                .formatted(style, number(x), number(y), number(wide), number(tall), Html.escaped(text)));
    }

    private void axes() {
        body.append("<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n".formatted(LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT));
    }

    private void line(CharSequence points, String style) {
        body.append("<polyline class=\"")
                .append(style)
                .append("\" points=\"")
                .append(points)
                .append("\"/>\n");
    }

    private void text(double x, double y, String anchor, String text) {
        body.append("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
                .formatted(number(x), number(y), anchor, Html.escaped(text)));
    }

    private static String pair(double x, double y) {
        return number(x) + "," + number(y) + " ";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private String svg() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s</svg>\n"
                .formatted(width, height, width, height, body);
    }
}
