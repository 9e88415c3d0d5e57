package org.railyard.base.report;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Numbers, counted in bins that are at most 3 % wide; whole numbers up to 64 have bins of their own. What is negative
 * counts as 0.
 */
public final class Distribution {
    /** Leaves the exponent and five bits behind it. */
    private static final int SHIFT = 47;

    private final TreeMap<Long, Long> bins = new TreeMap<>();
    private long count;
    private double sum;
    private double min = Double.POSITIVE_INFINITY;
    private double max;

    /** Makes one without numbers. */
    public Distribution() {}

    /** Adds a number; one that is none is left out. */
    public void add(double value) {
        if (Double.isNaN(value)) {
            return;
        }
        double positive = Math.max(0.0, value);
        bins.merge(Double.doubleToLongBits(positive) >> SHIFT, 1L, Long::sum);
        count++;
        sum += positive;
        min = Math.min(min, positive);
        max = Math.max(max, positive);
    }

    /** Returns how many numbers there are. */
    public long count() {
        return count;
    }

    /** Returns the smallest; 0 if there is none. */
    public double min() {
        return count == 0 ? 0 : min;
    }

    /** Returns the largest; 0 if there is none. */
    public double max() {
        return max;
    }

    /** Returns the mean; 0 if there is none. */
    public double mean() {
        return count == 0 ? 0 : sum / count;
    }

    /**
     * Returns the number that a share of all does not exceed, to 3 %.
     *
     * @param share 0 to 1
     */
    public double quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (var bin : bins.entrySet()) {
            seen += bin.getValue();
            if (seen >= rank) {
                return Math.clamp(start(bin.getKey()), min, max);
            }
        }
        return 0;
    }

    /** Returns how many numbers are in each bin, by where it begins. */
    public SortedMap<Double, Long> counts() {
        TreeMap<Double, Long> counts = new TreeMap<>();
        bins.forEach((bin, number) -> counts.put(Math.clamp(start(bin), min, max), number));
        return Collections.unmodifiableSortedMap(counts);
    }

    private static double start(long bin) {
        return Double.longBitsToDouble(bin << SHIFT);
    }
}
