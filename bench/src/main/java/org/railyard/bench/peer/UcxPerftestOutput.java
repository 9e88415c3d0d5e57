package org.railyard.bench.peer;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Sample;

/**
 * The comma-separated form of {@code ucx_perftest -v}: a line of names, then a report each second, of which some
 * figures are of the whole run so far.
 */
final class UcxPerftestOutput {
    /** What a report begins with; the number of iterations follows. */
    static final String REPORT = "[thread 0]";

    private static final String FIRST = "iterations";

    /** More iterations than a round of the longest time can have. */
    static final long MOST = 1_000_000_000_000L;

    private UcxPerftestOutput() {}

    /**
     * Reads the figures of the last report.
     *
     * @throws IOException if they are not there
     */
    static Sample parse(Measure measure, String text) throws IOException {
        List<String> names = List.of();
        String[] figures = {};
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith(FIRST + ",")) {
                names = Arrays.asList(line.split(",", -1));
            } else if (line.startsWith(REPORT)) {
                figures = line.substring(REPORT.length()).split(",", -1);
            }
        }
        if (names.isEmpty()) {
            throw new IOException("the output of ucx_perftest has no line of names that begins with " + FIRST);
        }
        return sample(measure, names, figures);
    }

    private static Sample sample(Measure measure, List<String> names, String... figures) throws IOException {
        double iterations = figure(FIRST, names, figures);
        if (iterations < 1 || iterations > MOST) {
            throw new IOException("ucx_perftest: " + FIRST + " is " + iterations + ", expected 1 to " + MOST);
        }
        long count = (long) iterations;
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
            value = Double.parseDouble(figures[at].strip());
        } catch (NumberFormatException e) {
            throw new IOException("ucx_perftest: " + name + " is not a number", e);
        }
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IOException("ucx_perftest: " + name + " is " + value + ", expected more than 0");
        }
        return value;
    }
}
