package org.railyard.bench.compare;

import java.util.Locale;
import java.util.Optional;

/**
 * A ratio with its 95 % confidence interval. Rounds with the same number stand beside each other in time, so each pair
 * gives a ratio; their logarithms are taken as normally distributed (Student's t).
 *
 * @param ratio geometric mean of the ratios of the rounds
 * @param low lower end of the interval; the ratio itself if there is only one round
 * @param high upper end
 */
public record Interval(double ratio, double low, double high) {
    /** Two-sided 95 % quantiles of Student's t for 1, 2, 3 … degrees of freedom; the last one serves for more. */
    private static final double[] T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    /** An interval that ends at more than this many times its beginning says nothing. */
    private static final double WIDEST = 100;

    /** Returns the ratio of one series by another, or empty if a pair of rounds has none. */
    static Optional<Interval> of(Series series, Series peer) {
        double[] values = series.values();
        double[] divisors = peer.values();
        int rounds = Math.min(values.length, divisors.length);
        double[] logs = new double[rounds];
        double sum = 0;
        for (int i = 0; i < rounds; i++) {
            logs[i] = Math.log(values[i] / divisors[i]);
            sum += logs[i];
        }
        double mean = sum / rounds;
        if (rounds == 0 || !Double.isFinite(mean)) {
            return Optional.empty();
        }
        double squares = 0;
        for (double log : logs) {
            squares += (log - mean) * (log - mean);
        }
        double half =
                rounds == 1 ? 0 : T[Math.min(rounds - 1, T.length) - 1] * Math.sqrt(squares / (rounds - 1) / rounds);
        return Optional.of(new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half)));
    }

    /** Returns it as a cell of a table; with a question mark for an interval that says nothing. */
    String asText() {
        if (high > WIDEST * low) {
            return String.format(Locale.ROOT, "%.2f (?)", ratio);
        }
        return low == high
                ? String.format(Locale.ROOT, "%.2f", ratio)
                : String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", ratio, low, high);
    }
}
