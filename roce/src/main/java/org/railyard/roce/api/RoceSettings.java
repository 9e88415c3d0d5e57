package org.railyard.roce.api;

/**
 * How a provider behaves.
 *
 * @param udpPort where it receives and where it sends to, 1…65535; 4791 in every real network
 * @param ackTimeout how long to wait for an answer before that counts as a try, 1…31: 4.096 µs · 2^t; 0 for no limit;
 *     peers are told to do the same
 * @param probeNanos how long to wait for an answer before packets are sent again, which does not count as a try yet,
 *     ns; doubled each time
 * @param window most packets that are not acknowledged, of one queue pair, 1…256; to peers that do not say how much
 *     they have room for, as kernels, {@link #UNKNOWN_WINDOW} at most (spec 23 sv-043)
 * @param managerTimeoutNanos how long to wait for an answer of the connection manager, ns; doubled each time, up to
 *     {@link #MAX_MANAGER_TIMEOUT_NANOS}
 * @param managerRetries how often to send a message of the connection manager again, from 0
 * @param offload whether many packets are to leave and come with one call, where the system and the JVM allow that
 * @param busyPollNanos how long the thread looks for packets and tasks after the last one before it sleeps, ns; 0
 *     …{@link #MAX_BUSY_POLL_NANOS}, 0 for not at all
 */
public record RoceSettings(
        int udpPort,
        int ackTimeout,
        long probeNanos,
        int window,
        long managerTimeoutNanos,
        int managerRetries,
        boolean offload,
        long busyPollNanos) {
    /** The UDP port of RoCEv2. */
    public static final int UDP_PORT = 4791;

    /** Largest {@link #window}. */
    public static final int MAX_WINDOW = 256;

    /** Most packets that are not acknowledged by a peer of which nothing is known. */
    public static final int UNKNOWN_WINDOW = 64;

    /** Largest {@link #busyPollNanos}. */
    public static final long MAX_BUSY_POLL_NANOS = 10_000_000L;

    /** Longest time between two messages of the connection manager, ns: 4.096 µs · 2^20. */
    public static final long MAX_MANAGER_TIMEOUT_NANOS = 4096L << 20;

    /**
     * A peer that asks for more time (MRA) gets it for so long since the message was first sent, ns: 4.096 µs · 2^24,
     * the 69 s that kernel nodes ask for.
     */
    public static final long MAX_EXTENSION_NANOS = 4096L << 24;

    /** Largest {@link #ackTimeout}: 2.4 hours. */
    private static final int MAX_ACK_TIMEOUT = 31;

    /** What suits real networks: the numbers of kernel nodes, and packets sent again after 30 ms. */
    public static final RoceSettings DEFAULT =
            new RoceSettings(UDP_PORT, 19, 30_000_000, MAX_WINDOW, 250_000_000, 15, true, 0);

    /** Checks the ranges. */
    public RoceSettings {
        if (udpPort < 1
                || udpPort > 65_535
                || ackTimeout < 0
                || ackTimeout > MAX_ACK_TIMEOUT
                || probeNanos < 1
                || window < 1
                || window > MAX_WINDOW
                || managerTimeoutNanos < 1
                || managerRetries < 0
                || busyPollNanos < 0
                || busyPollNanos > MAX_BUSY_POLL_NANOS) {
            throw new IllegalArgumentException("UDP port " + udpPort + ", ack timeout " + ackTimeout + ", probes after "
                    + probeNanos + " ns, window " + window + ", manager " + managerTimeoutNanos + " ns and "
                    + managerRetries + " retries, busy polling " + busyPollNanos
                    + " ns; expected 1…65535, 0…31, > 0, 1…" + MAX_WINDOW + ", > 0, >= 0 and 0…" + MAX_BUSY_POLL_NANOS);
        }
    }

    /** Returns the same on another UDP port. */
    public RoceSettings withUdpPort(int other) {
        return new RoceSettings(
                other, ackTimeout, probeNanos, window, managerTimeoutNanos, managerRetries, offload, busyPollNanos);
    }

    /** Returns the same with another {@link #ackTimeout}. */
    public RoceSettings withAckTimeout(int other) {
        return new RoceSettings(
                udpPort, other, probeNanos, window, managerTimeoutNanos, managerRetries, offload, busyPollNanos);
    }

    /** Returns the same with or without {@link #offload}. */
    public RoceSettings withOffload(boolean other) {
        return new RoceSettings(
                udpPort, ackTimeout, probeNanos, window, managerTimeoutNanos, managerRetries, other, busyPollNanos);
    }

    /** Returns the same with another {@link #busyPollNanos}. */
    public RoceSettings withBusyPoll(long nanos) {
        return new RoceSettings(
                udpPort, ackTimeout, probeNanos, window, managerTimeoutNanos, managerRetries, offload, nanos);
    }

    /** Returns how long to wait for an answer, ns, with a timeout code; with 0, which has no limit, some hours. */
    public static long ackNanos(int code) {
        return 4096L << (code == 0 ? MAX_ACK_TIMEOUT : code);
    }
}
