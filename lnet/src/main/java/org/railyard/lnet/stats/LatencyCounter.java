package org.railyard.lnet.stats;

import org.railyard.lnet.api.Latency;

/** Sums up durations (spec 10 §17.1). */
public final class LatencyCounter {
    private long samples;
    private long min;
    private long max;
    private long total;

    /** Makes a summary of nothing. */
    public LatencyCounter() {}

    /** Adds a duration, ns; what is below 0 counts as 0. */
    public void add(long nanos) {
        long sample = Math.max(0, nanos);
        min = samples == 0 ? sample : Math.min(min, sample);
        max = Math.max(max, sample);
        total += sample;
        samples++;
    }

    /** Adds the durations of another. */
    public void add(LatencyCounter other) {
        if (other.samples > 0) {
            min = samples == 0 ? other.min : Math.min(min, other.min);
            max = Math.max(max, other.max);
            total += other.total;
            samples += other.samples;
        }
    }

    /** Forgets everything. */
    public void reset() {
        samples = 0;
        min = 0;
        max = 0;
        total = 0;
    }

    /** Returns the summary now. */
    public Latency snapshot() {
        return new Latency(samples, min, max, total);
    }
}
