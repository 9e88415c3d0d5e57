package org.railyard.bench.compare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one measure.
 *
 * @param measure what was measured
 * @param series one per contender, in the order of the list
 * @param surroundings what else went on meanwhile; null if unknown
 */
public record Comparison(
        Measure measure, List<Series> series, @Nullable Surroundings surroundings) {
    /** Copies the list. */
    public Comparison {
        series = List.copyOf(series);
    }

    /** Returns those the others are divided by: the peers that have a result. */
    public List<Series> peers() {
        return series.stream().filter(s -> s.peer() && s.hasResult()).toList();
    }

    /** Tells whether a contender failed, other than by being absent. */
    public boolean hasFailure() {
        return series.stream().anyMatch(Series::failed);
    }
}
