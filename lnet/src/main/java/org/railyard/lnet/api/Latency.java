package org.railyard.lnet.api;

/**
 * Durations summed up (spec 10 §17.1), ns; all 0 if there are none.
 *
 * @param samples how many
 * @param min the shortest
 * @param max the longest
 * @param total their sum
 */
public record Latency(long samples, long min, long max, long total) {
    /** Of nothing. */
    public static final Latency NONE = new Latency(0, 0, 0, 0);

    /** Returns the mean, ns, rounded down; 0 if there is no sample. */
    public long average() {
        return samples == 0 ? 0 : total / samples;
    }

    /** Returns what both sum up. */
    public Latency plus(Latency other) {
        if (samples == 0) {
            return other;
        }
        if (other.samples == 0) {
            return this;
        }
        return new Latency(
                samples + other.samples, Math.min(min, other.min), Math.max(max, other.max), total + other.total);
    }
}
