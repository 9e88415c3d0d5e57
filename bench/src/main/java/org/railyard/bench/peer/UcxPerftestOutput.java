package org.railyard.bench.peer;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Sample;

/** The comma-separated form of {@code ucx_perftest -v -f}: a line of names, and a line of figures. */
final class UcxPerftestOutput {
    private static final String FIRST = "iterations";

    private UcxPerftestOutput() {}

    /**
     * Reads the figures.
     *
     * @param count iterations that were asked for
     * @throws IOException if they are not there
     */
    static Sample parse(Measure measure, long count, String text) throws IOException {
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).startsWith(FIRST + ",")) {
                List<String> names = Arrays.asList(lines.get(i).split(",", -1));
                return sample(measure, count, names, lines.get(i + 1).split(",", -1));
            }
        }
        throw new IOException("the output of ucx_perftest has no line of names that begins with " + FIRST);
    }

    private static Sample sample(Measure measure, long count, List<String> names, String... figures)
            throws IOException {
        if (measure == Measure.ROUND_TRIP) {
            // It tells half of a round trip.
            double micros = 2 * figure("50.0_percentile_lat", names, figures);
            return new Sample.Latency(count, micros, Double.NaN, Double.NaN);
        }
        double perSecond = figure("overall_mr", names, figures);
        long nanos = Math.max(1, Math.round(count * 1e9 / perSecond));
        return measure == Measure.MESSAGE_RATE
                ? new Sample.Rate(count, nanos)
                : new Sample.Bandwidth(count * Measure.BLOCK_BYTES, nanos);
    }

    private static double figure(String name, List<String> names, String... figures) throws IOException {
        int at = names.indexOf(name);
        if (at < 0 || at >= figures.length) {
            throw new IOException("the output of ucx_perftest has no " + name);
        }
        double value;
        try {
            value = Double.parseDouble(figures[at]);
        } catch (NumberFormatException e) {
            throw new IOException("ucx_perftest: " + name + " is not a number", e);
        }
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IOException("ucx_perftest: " + name + " is " + value + ", expected more than 0");
        }
        return value;
    }
}
