package org.railyard.base.report;

import java.util.List;
import java.util.Locale;

/** Draws plots as SVG that stands within an {@link HtmlPage}. All text is escaped. */
public final class Plot {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 220;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 24;
    private static final int BOTTOM = 40;
    private static final int BARS = 40;
    private static final int ROW = 22;
    private static final int NAME = 220;
    private static final int CELL = 16;
    private static final int GAP = 18;
    private static final int MAP_WIDTH = 900;

    /** Colors of lines in the style sheet of the page. */
    private static final int COLORS = 6;

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    /**
     * A bar.
     *
     * @param name beside it
     * @param value how long it is, from 0
     * @param low where a thin line over its end begins; as {@code value} for none
     * @param high where it ends
     */
    public record Bar(String name, double value, double low, double high) {
        /** A bar without a thin line. */
        public Bar(String name, double value) {
            this(name, value, value, value);
        }
    }

    /**
     * A point of a line.
     *
     * @param x where
     * @param y how much, from 0; NaN breaks the line
     */
    public record Point(double x, double y) {}

    /**
     * A line.
     *
     * @param name in the legend
     * @param points from left to right
     */
    public record Line(String name, List<Point> points) {
        /** Copies the list. */
        public Line {
            points = List.copyOf(points);
        }
    }

    /**
     * Cells in rows, columns and panels side by side.
     *
     * @param columns of a panel, from the left
     * @param rows of a panel, from below
     * @param panels how many
     */
    public record Cells(int columns, int rows, int panels) {}

    /** What a cell of a map holds. */
    @FunctionalInterface
    public interface CellText {
        /** Returns what is said of a cell. */
        String of(int column, int row, int panel);
    }

    /** How red a cell of a map is. */
    @FunctionalInterface
    public interface CellShare {
        /** Returns it, from 0 to 1; NaN for a cell without a value. */
        double of(int column, int row, int panel);
    }

    private Plot(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /**
     * Draws how often which values are, in bars of the same width from the least to the largest.
     *
     * @param unit of the values
     * @param what is counted, such as cases
     */
    public static String histogram(String unit, String what, Distribution values) {
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
            plot.rectangle(LEFT + i * step, HEIGHT - BOTTOM - tall, step - 1, tall, bars[i] + " " + what);
        }
        plot.axes((double) most, values.min(), values.max(), unit);
        return plot.svg();
    }

    /**
     * Draws a bar for each name.
     *
     * @param unit behind each number
     */
    public static String bars(String unit, List<Bar> bars) {
        Plot plot = new Plot(WIDTH, bars.size() * ROW + 8);
        double most = bars.stream().mapToDouble(Bar::high).max().orElse(1);
        double scale = (WIDTH - NAME - 110) / Math.max(most, Double.MIN_NORMAL);
        int row = 0;
        for (Bar bar : bars) {
            double y = row * ROW + 4.0;
            double wide = scale * bar.value();
            String value = NumberText.text(bar.value()) + " " + unit;
            plot.text(NAME - 8, y + 14, "end", bar.name());
            plot.rectangle(NAME, y, Math.max(1, wide), ROW - 6, value);
            if (bar.high() > bar.low()) {
                double middle = y + (ROW - 6) / 2.0;
                String ends = pair(NAME + scale * bar.low(), middle) + pair(NAME + scale * bar.high(), middle);
                plot.line(ends, "spread");
            }
            plot.text(NAME + Math.max(wide, scale * bar.high()) + 6, y + 14, "start", value);
            row++;
        }
        return plot.svg();
    }

    /**
     * Draws lines over the same places.
     *
     * @param below what is told from left to right
     */
    public static String lines(String below, List<Line> lines) {
        Plot plot = new Plot(WIDTH, HEIGHT);
        List<Point> all = lines.stream()
                .flatMap(line -> line.points().stream())
                .filter(point -> !Double.isNaN(point.y()))
                .toList();
        double first = all.stream().mapToDouble(Point::x).min().orElse(0);
        double last = all.stream().mapToDouble(Point::x).max().orElse(1);
        double most = all.stream().mapToDouble(Point::y).max().orElse(1);
        double span = Math.max(last - first, Double.MIN_NORMAL);
        double top = Math.max(most, Double.MIN_NORMAL);
        double legend = LEFT + 8;
        for (int i = 0; i < lines.size(); i++) {
            StringBuilder part = new StringBuilder();
            String style = "line" + i % COLORS;
            for (Point point : lines.get(i).points()) {
                if (Double.isNaN(point.y())) {
                    plot.line(part, style);
                    part.setLength(0);
                } else {
                    double x = LEFT + (WIDTH - LEFT - RIGHT) * ((point.x() - first) / span);
                    part.append(pair(x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (point.y() / top)));
                }
            }
            plot.line(part, style);
            plot.line(pair(legend, 10) + pair(legend + 18, 10), style);
            plot.text(legend + 22, 14, "start", lines.get(i).name());
            legend += 40 + 6.5 * lines.get(i).name().length();
        }
        plot.axes(most, first, last, below);
        return plot.svg();
    }

    /** Draws cells from white to red. */
    public static String map(Cells cells, CellShare share, CellText text) {
        int wide = cells.columns() * CELL + GAP;
        int across = Math.max(1, Math.min(cells.panels(), MAP_WIDTH / wide));
        int down = (cells.panels() + across - 1) / across;
        Plot plot = new Plot(across * wide + GAP, down * (cells.rows() * CELL + 2 * GAP));
        for (int panel = 0; panel < cells.panels(); panel++) {
            double left = GAP + panel % across * (double) wide;
            double top = GAP + (double) (panel / across * (cells.rows() * CELL + 2 * GAP));
            plot.text(left, top - 5, "start", "z = " + panel);
            for (int row = 0; row < cells.rows(); row++) {
                for (int column = 0; column < cells.columns(); column++) {
                    double x = left + column * (double) CELL;
                    double y = top + (cells.rows() - 1 - row) * (double) CELL;
                    plot.cell(x, y, share.of(column, row, panel), text.of(column, row, panel));
                }
            }
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

    private void rectangle(double x, double y, double wide, double tall, String text) {
        body.append("<rect class=\"bar\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n"
                .formatted(number(x), number(y), number(wide), number(tall), Html.escaped(text)));
    }

    private void axes(double most, double first, double last, String below) {
        body.append("<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n".formatted(LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT));
        text(LEFT - 6, TOP + 4, "end", NumberText.text(most));
        text(LEFT - 6, HEIGHT - BOTTOM, "end", "0");
        text(LEFT, HEIGHT - BOTTOM + 16, "start", NumberText.text(first));
        text(WIDTH - RIGHT, HEIGHT - BOTTOM + 16, "end", NumberText.text(last));
        text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 6, "middle", below);
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
