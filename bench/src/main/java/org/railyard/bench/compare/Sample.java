package org.railyard.bench.compare;

import org.HdrHistogram.Histogram;

/** What one round gave. */
public sealed interface Sample {
    /** Returns the figure that is compared, in the unit of the measure. */
    double value();

    /** Returns how many messages it is of: round trips, messages, or blocks of 1 MiB. */
    double messages();

    /**
     * Round trips.
     *
     * @param exchanges how many were timed
     * @param p50 median, in µs
     * @param p99 99th percentile, in µs; not a number if unknown
     * @param p999 99.9th percentile, in µs; not a number if unknown
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

        @Override
        public double messages() {
            return exchanges;
        }
    }

    /**
     * Messages in one direction.
     *
     * @param count how many arrived
     * @param nanos in how many ns, more than 0
     */
    record Rate(long count, long nanos) implements Sample {
        @Override
        public double value() {
            return count * 1e9 / nanos;
        }

        @Override
        public double messages() {
            return count;
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

        @Override
        public double messages() {
            return bytes / (double) (1 << 20);
        }
    }
}
