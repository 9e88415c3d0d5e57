package org.railyard.fabric.sim.traffic;

import java.util.Arrays;

/** A histogram of times in ns: 32 steps for each power of two, so that a share is found to 3 %. */
final class Latencies {
    private static final int STEP_BITS = 5;
    private static final int STEPS = 1 << STEP_BITS;

    private final long[] counts = new long[STEPS * (Long.SIZE - STEP_BITS + 1)];
    private long count;
    private long sum;
    private long max;

    void add(long nanos) {
        counts[place(nanos)]++;
        count++;
        sum += nanos;
        max = Math.max(max, nanos);
    }

    void clear() {
        Arrays.fill(counts, 0);
        count = 0;
        sum = 0;
        max = 0;
    }

    private static int place(long nanos) {
        int shift = Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(nanos | 1));
        return (shift << STEP_BITS) + (int) (nanos >>> shift);
    }

    long count() {
        return count;
    }

    double mean() {
        return count == 0 ? 0 : (double) sum / count;
    }

    long max() {
        return max;
    }

    /** Returns a time that this share of all is not above. */
    long share(double share) {
        long left = (long) Math.ceil(share * count);
        for (int place = 0; place < counts.length; place++) {
            left -= counts[place];
            if (left <= 0 && counts[place] > 0) {
                return Math.min(max, highest(place));
            }
        }
        return 0;
    }

    private static long highest(int place) {
        int shift = Math.max(0, (place >>> STEP_BITS) - 1);
        return ((long) (place - (shift << STEP_BITS) + 1) << shift) - 1;
    }
}
