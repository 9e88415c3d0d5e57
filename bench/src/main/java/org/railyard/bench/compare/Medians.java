package org.railyard.bench.compare;

import java.util.Arrays;

/** The median of a few figures. */
public final class Medians {
    private Medians() {}

    /**
     * Returns the median; of an even number of figures the mean of the two in the middle.
     *
     * @throws IllegalArgumentException if there is no figure
     */
    public static double of(double... figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("no figure to take the median of");
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int upper = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
    }
}
