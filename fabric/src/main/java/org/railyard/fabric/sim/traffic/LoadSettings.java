package org.railyard.fabric.sim.traffic;

/**
 * How much hosts send.
 *
 * @param load share of the rate of its link that each host wants to send, 0 < load ≤ 1
 * @param packetBytes length of all packets, with headers
 * @param qosShare share of packets that ask for QoS level 1, 0…1
 * @param windowNanos how long a look is, ns: looks are taken until two of them agree, then {@link #windows} more count
 * @param windows looks that count
 */
public record LoadSettings(double load, int packetBytes, double qosShare, long windowNanos, int windows) {
    /** Checks the ranges. */
    public LoadSettings {
        if (!(load > 0 && load <= 1)
                || packetBytes < 1
                || !(qosShare >= 0 && qosShare <= 1)
                || windowNanos < 1
                || windows < 1) {
            throw new IllegalArgumentException(
                    "load %s of packets of %d bytes, QoS share %s, %d windows of %d ns; expected 0 < load <= 1 and shares of 0 to 1"
                            .formatted(load, packetBytes, qosShare, windows, windowNanos));
        }
    }
}
