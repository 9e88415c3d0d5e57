package org.railyard.roce.api;

/**
 * How a provider behaves.
 *
 * @param udpPort where it receives and where it sends to, 1…65535; 4791 in every real network
 * @param ackTimeout how long to wait for an answer before that counts as a try, 0…31: 4.096 µs · 2^t; peers are told to
 *     do the same
 * @param probeNanos how long to wait for an answer before packets are sent again, which does not count as a try yet,
 *     ns; doubled each time
 * @param window most packets that are not acknowledged, of one queue pair, 1…64 (spec 23 sv-043)
 * @param managerTimeoutNanos how long to wait for an answer of the connection manager, ns; doubled each time, up to
 *     {@link #MAX_MANAGER_TIMEOUT_NANOS}
 * @param managerRetries how often to send a message of the connection manager again, from 0
 */
public record RoceSettings(
        int udpPort, int ackTimeout, long probeNanos, int window, long managerTimeoutNanos, int managerRetries) {
    /** The UDP port of RoCEv2. */
    public static final int UDP_PORT = 4791;

    /** Largest {@link #window}. */
    public static final int MAX_WINDOW = 64;

    /** Longest time between two messages of the connection manager, ns: 4.096 µs · 2^20. */
    public static final long MAX_MANAGER_TIMEOUT_NANOS = 4096L << 20;

    /** What suits real networks: the numbers of kernel nodes, and packets sent again after 30 ms. */
    public static final RoceSettings DEFAULT = new RoceSettings(UDP_PORT, 19, 30_000_000, MAX_WINDOW, 250_000_000, 15);

    /** Checks the ranges. */
    public RoceSettings {
        if (udpPort < 1
                || udpPort > 65_535
                || ackTimeout < 0
                || ackTimeout > 31
                || probeNanos < 1
                || window < 1
                || window > MAX_WINDOW
                || managerTimeoutNanos < 1
                || managerRetries < 0) {
            throw new IllegalArgumentException("UDP port " + udpPort + ", ack timeout " + ackTimeout + ", probes after "
                    + probeNanos + " ns, window " + window + ", manager " + managerTimeoutNanos + " ns and "
                    + managerRetries + " retries; expected 1…65535, 0…31, > 0, 1…" + MAX_WINDOW + ", > 0 and >= 0");
        }
    }

    /** Returns the same on another UDP port. */
    public RoceSettings withUdpPort(int other) {
        return new RoceSettings(other, ackTimeout, probeNanos, window, managerTimeoutNanos, managerRetries);
    }

    /** Returns the same with another {@link #ackTimeout}. */
    public RoceSettings withAckTimeout(int other) {
        return new RoceSettings(udpPort, other, probeNanos, window, managerTimeoutNanos, managerRetries);
    }

    /** Returns how long to wait for an answer, ns, with a timeout code. */
    public static long ackNanos(int code) {
        return 4096L << code;
    }
}
