package org.railyard.bench.compare;

import java.util.List;
import java.util.Optional;

/**
 * The outcome of one measure.
 *
 * @param measure what was measured
 * @param series one per contender, in the order of the list
 */
public record Comparison(Measure measure, List<Series> series) {
    /** Copies the list. */
    public Comparison {
        series = List.copyOf(series);
    }

    /** Returns those the others are divided by: the peers that have a result. */
    public List<Series> peers() {
        return series.stream().filter(s -> s.peer() && s.hasResult()).toList();
    }

    /** Returns the median of one by the median of the other, or empty if one of them has none. */
    public static Optional<Double> ratio(Series series, Series peer) {
        if (!series.hasResult() || !peer.hasResult()) {
            return Optional.empty();
        }
        double divisor = peer.median();
        return divisor > 0 ? Optional.of(series.median() / divisor) : Optional.empty();
    }

    /** Tells whether a contender failed, other than by being absent. */
    public boolean hasFailure() {
        return series.stream().anyMatch(Series::failed);
    }
}
