package org.railyard.lab.net;

/**
 * What a rail does to frames.
 *
 * @param latencyNanos time on the way, ns
 * @param jitterNanos up to this much more, evenly spread, ns
 * @param bitsPerSecond how fast a device sends and receives; 0 means without limit
 * @param loss share of frames that are lost, 0…1
 * @param duplication share of frames that arrive twice, 0…1
 */
public record RailSettings(long latencyNanos, long jitterNanos, long bitsPerSecond, double loss, double duplication) {
    /** 20 µs, no jitter, 10 Gbit/s, nothing lost or repeated. */
    public static final RailSettings DEFAULT = new RailSettings(20_000, 0, 10_000_000_000L, 0, 0);

    /** Checks ranges. */
    public RailSettings {
        if (latencyNanos < 0 || jitterNanos < 0 || bitsPerSecond < 0 || !isShare(loss) || !isShare(duplication)) {
            throw new IllegalArgumentException("rail settings out of range: latency " + latencyNanos + " ns, jitter "
                    + jitterNanos + " ns, bandwidth " + bitsPerSecond + " bit/s, loss " + loss + ", duplication "
                    + duplication);
        }
    }

    private static boolean isShare(double value) {
        return value >= 0 && value <= 1;
    }

    /** Returns a copy with another share of lost frames. */
    public RailSettings withLoss(double share) {
        return new RailSettings(latencyNanos, jitterNanos, bitsPerSecond, share, duplication);
    }

    /** Returns a copy with another share of repeated frames. */
    public RailSettings withDuplication(double share) {
        return new RailSettings(latencyNanos, jitterNanos, bitsPerSecond, loss, share);
    }

    /** Returns a copy with another latency, ns. */
    public RailSettings withLatency(long nanos) {
        return new RailSettings(nanos, jitterNanos, bitsPerSecond, loss, duplication);
    }

    /** Returns how long a device takes to send so many bytes, ns. */
    long nanosFor(int bytes) {
        return bitsPerSecond == 0 ? 0 : (long) (bytes * 8e9 / bitsPerSecond);
    }
}
