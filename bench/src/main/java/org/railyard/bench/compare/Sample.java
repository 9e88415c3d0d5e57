package org.railyard.bench.compare;

import org.HdrHistogram.Histogram;

/** What one round gave. */
public sealed interface Sample {
    /** Returns the figure that is compared, in the unit of the measure. */
    double value();

    /**
     * Round trips.
     *
     * @param exchanges how many were timed
     * @param p50 median, in µs
     * @param p99 99th percentile, in µs
     * @param p999 99.9th percentile, in µs
     */
    record Latency(long exchanges, double p50, double p99, double p999) implements Sample {
        /** Returns the sample of a histogram of ns. */
        public static Latency of(Histogram nanos) {
            return new Latency(nanos.getTotalCount(), micros(nanos, 50), micros(nanos, 99), micros(nanos, 99.9));
        }

        private static double micros(Histogram nanos, double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1e3;
        }

        @Override
        public double value() {
            return p50;
        }
    }

    /**
     * Messages in one direction.
     *
     * @param messages how many arrived
     * @param nanos in how many ns, more than 0
     */
    record Rate(long messages, long nanos) implements Sample {
        @Override
        public double value() {
            return messages * 1e9 / nanos;
        }
    }

    /**
     * Bytes in one direction.
     *
     * @param bytes how many arrived
     * @param nanos in how many ns, more than 0
     */
    record Bandwidth(long bytes, long nanos) implements Sample {
        @Override
        public double value() {
            return bytes * 1e9 / nanos / (1 << 20);
        }
    }
}
