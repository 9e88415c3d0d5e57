package org.railyard.bench.compare;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of one contender. A series without samples has a reason.
 *
 * @param name of the contender
 * @param peer whether the others are divided by it
 * @param samples one per measured round that came to an end
 * @param cpuMicros CPU time of both sides for each message, µs, one per sample; empty if unknown
 * @param trouble why there are fewer samples than rounds: not installed, or what failed; null if there are not
 * @param failed whether the trouble is a failure, and not only an absence
 * @param note what else is worth knowing; null for nothing
 */
public record Series(
        String name,
        boolean peer,
        List<Sample> samples,
        List<Double> cpuMicros,
        @Nullable String trouble,
        boolean failed,
        @Nullable String note) {
    /** Spread from which on a series is called noisy. */
    static final double NOISY_SPREAD = 1.25;

    /** Copies the lists. */
    public Series {
        samples = List.copyOf(samples);
        cpuMicros = List.copyOf(cpuMicros);
        if (samples.isEmpty() && trouble == null) {
            throw new IllegalArgumentException(name + " has neither samples nor a reason");
        }
    }

    /** Tells whether there is a figure. */
    public boolean hasResult() {
        return !samples.isEmpty();
    }

    /** Returns the values of the rounds in their order, in the unit of the measure. */
    double[] values() {
        return samples.stream().mapToDouble(Sample::value).toArray();
    }

    /** Returns the median of the rounds' values; there is a result. */
    public double median() {
        return Medians.of(values());
    }

    /**
     * Returns the median over the rounds of one figure of a latency sample, or empty if the series is not one of
     * latencies.
     */
    Optional<Double> median(ToDoubleFunction<Sample.Latency> figure) {
        double[] figures = samples.stream()
                .filter(Sample.Latency.class::isInstance)
                .map(Sample.Latency.class::cast)
                .mapToDouble(figure)
                .toArray();
        return figures.length == 0 ? Optional.empty() : Optional.of(Medians.of(figures));
    }

    /** Returns the median over the rounds of the CPU time for each message, µs, or empty if unknown. */
    Optional<Double> cpu() {
        return cpuMicros.isEmpty()
                ? Optional.empty()
                : Optional.of(Medians.of(
                        cpuMicros.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /** Returns the smallest of the rounds' values; there is a result. */
    double min() {
        return samples.stream().mapToDouble(Sample::value).min().orElseThrow();
    }

    /** Returns the largest of the rounds' values; there is a result. */
    double max() {
        return samples.stream().mapToDouble(Sample::value).max().orElseThrow();
    }

    /** Returns largest by smallest value; 1 is perfectly quiet. */
    double spread() {
        return max() / min();
    }

    /** Tells whether the rounds differ so much that the median says little. */
    boolean isNoisy() {
        return hasResult() && !(spread() <= NOISY_SPREAD);
    }
}
