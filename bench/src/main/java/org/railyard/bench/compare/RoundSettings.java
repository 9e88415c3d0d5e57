package org.railyard.bench.compare;

/**
 * How long one round is.
 *
 * @param seconds time to measure; 1 to {@link #MAX_SECONDS}; whole seconds, because iperf3 and sockperf take nothing
 * finer
 * @param byteLimit payload bytes after which a contender ends its round early, more than 0; tools that know no such
 * limit ignore it
 * @param placement which CPUs the sides may use
 */
public record RoundSettings(int seconds, long byteLimit, CpuPlacement placement) {
    /** Longest round, in seconds. */
    public static final int MAX_SECONDS = 60;

    /** Checks the ranges. */
    public RoundSettings {
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException("round of " + seconds + " s; the range is 1 to " + MAX_SECONDS);
        }
        if (byteLimit <= 0) {
            throw new IllegalArgumentException("byte limit " + byteLimit + "; it must be more than 0");
        }
    }

    /** Sets a round whose sides may use all CPUs. */
    public RoundSettings(int seconds, long byteLimit) {
        this(seconds, byteLimit, CpuPlacement.FREE);
    }

    /** Returns the time to measure, in ns. */
    public long nanos() {
        return seconds * 1_000_000_000L;
    }
}
