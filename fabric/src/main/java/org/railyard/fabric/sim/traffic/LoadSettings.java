package org.railyard.fabric.sim.traffic;

/**
 * How much hosts send.
 *
 * @param load share of the rate of its link that each host wants to send, more than 0, at most 1
 * @param packetBytes length of all packets, with headers
 * @param qosShare share of packets that ask for QoS level 1, 0…1
 * @param windowNanos length of a measurement window, ns: after two windows in a row with the same mean latency,
 *     {@link #windows} more count
 * @param windows windows that are measured
 * @param untilNanos when to end, whatever is still on its way, ns; all counts from the beginning on, then. 0 = after
 *     the measured windows and as soon as the fabric is empty
 */
public record LoadSettings(
        double load, int packetBytes, double qosShare, long windowNanos, int windows, long untilNanos) {
    /** Largest {@link #windowNanos} and {@link #untilNanos}: a hundred seconds. */
    public static final long MAX_NANOS = 100_000_000_000L;

    /** What headers add to the payload of a packet, bytes. */
    public static final int HEADERS = 30;

    /** Windows that are measured where nobody says how many. */
    public static final int WINDOWS = 3;

    /** Checks the ranges. */
    public LoadSettings {
        if (!(load > 0 && load <= 1)
                || packetBytes < 1
                || !(qosShare >= 0 && qosShare <= 1)
                || windowNanos < 1
                || windowNanos > MAX_NANOS
                || windows < 1
                || untilNanos < 0
                || untilNanos > MAX_NANOS) {
            throw new IllegalArgumentException(
                    ("load %s of packets of %d bytes, QoS share %s, %d windows of %d ns, until %d ns; expected 0 < load"
                                    + " <= 1, shares of 0 to 1, and times up to %d ns")
                            .formatted(load, packetBytes, qosShare, windows, windowNanos, untilNanos, MAX_NANOS));
        }
    }

    /** Settings of a run that ends when the fabric is empty. */
    public LoadSettings(double load, int packetBytes, double qosShare, long windowNanos, int windows) {
        this(load, packetBytes, qosShare, windowNanos, windows, 0);
    }
}
