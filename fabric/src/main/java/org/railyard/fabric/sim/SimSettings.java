package org.railyard.fabric.sim;

/**
 * What links and switches are like.
 *
 * @param linkNanos a bit on a cable, ns; at least 1, so that a credit never comes back in the moment in which it was
 *     spent
 * @param switchNanos from the head of a packet at a switch to its route, ns
 * @param bufferBytes size of an input buffer for one VL, bytes; at least one packet, in credits of {@link
 *     #CREDIT_BYTES}
 * @param packets most packets that are anywhere at a time, those in the queues of their senders included
 * @param lifetimeNanos how long a packet may be at the head of a queue before it is dropped, ns; 0 = for ever, so that
 *     a deadlock stays
 * @param checkNanos how often deadlocks are searched for while packets are on their way, ns
 * @param betweenSwitches how ports of switches that lead to switches choose among VLs
 * @param towardsEnds how ports of switches that lead to CAs do
 * @param ofEnds how ports of CAs do
 */
public record SimSettings(
        long linkNanos,
        long switchNanos,
        int bufferBytes,
        int packets,
        long lifetimeNanos,
        long checkNanos,
        Arbitration betweenSwitches,
        Arbitration towardsEnds,
        Arbitration ofEnds) {
    /** What one credit stands for, bytes. */
    public static final int CREDIT_BYTES = 64;

    /** Largest {@link #bufferBytes}. */
    public static final int MAX_BUFFER = 256 << 10;

    /** Largest {@link #packets}. */
    public static final int MAX_PACKETS = 1 << 24;

    /** Room for two packets of 4 KiB and their headers, and for what comes while credits return; 100 ns in a switch. */
    public static final SimSettings DEFAULT = new SimSettings(
            25, 100, 10 << 10, 1 << 16, 0, 10_000, Arbitration.EQUAL, Arbitration.EQUAL, Arbitration.EQUAL);

    private static final int PACKETS_OF_HOST = 1 << 10;
    private static final int MANY_PACKETS = 1 << 20;
    private static final int ROUND_TRIP = 2048;

    /** Checks the ranges. */
    public SimSettings {
        if (linkNanos < 1
                || switchNanos < 0
                || bufferBytes < CREDIT_BYTES
                || bufferBytes > MAX_BUFFER
                || packets < 1
                || packets > MAX_PACKETS
                || lifetimeNanos < 0
                || checkNanos < 1) {
            throw new IllegalArgumentException(
                    ("link %d ns, switch %d ns, buffers of %d bytes, %d packets, lifetime %d ns, "
                                    + "checks each %d ns; expected > 0, >= 0, %d…%d, 1…%d, >= 0 and > 0")
                            .formatted(
                                    linkNanos,
                                    switchNanos,
                                    bufferBytes,
                                    packets,
                                    lifetimeNanos,
                                    checkNanos,
                                    CREDIT_BYTES,
                                    MAX_BUFFER,
                                    MAX_PACKETS));
        }
    }

    /** Returns {@link #DEFAULT} with packets for a number of hosts: 1,024 for each, at most 1,048,576. */
    public static SimSettings forHosts(int hosts) {
        return DEFAULT.withPackets(Math.clamp((long) hosts * PACKETS_OF_HOST, 1, MANY_PACKETS));
    }

    /** Returns the usual size of a buffer: two packets of a length, and what comes while credits return; bytes. */
    public static int bufferFor(int packetBytes) {
        return 2 * packetBytes + ROUND_TRIP;
    }

    /** Returns the same with other buffers, bytes. */
    public SimSettings withBuffers(int bytes) {
        return new SimSettings(
                linkNanos,
                switchNanos,
                bytes,
                packets,
                lifetimeNanos,
                checkNanos,
                betweenSwitches,
                towardsEnds,
                ofEnds);
    }

    /** Returns the same for another number of packets. */
    public SimSettings withPackets(int most) {
        return new SimSettings(
                linkNanos,
                switchNanos,
                bufferBytes,
                most,
                lifetimeNanos,
                checkNanos,
                betweenSwitches,
                towardsEnds,
                ofEnds);
    }

    /** Returns the same with another lifetime of packets, ns. */
    public SimSettings withLifetime(long nanos) {
        return new SimSettings(
                linkNanos, switchNanos, bufferBytes, packets, nanos, checkNanos, betweenSwitches, towardsEnds, ofEnds);
    }

    /** Returns the same with other delays of cables and switches, ns. */
    public SimSettings withDelays(long link, long inSwitch) {
        return new SimSettings(
                link, inSwitch, bufferBytes, packets, lifetimeNanos, checkNanos, betweenSwitches, towardsEnds, ofEnds);
    }

    /**
     * Returns the same with other choices among VLs.
     *
     * @param switches of ports between switches
     * @param towards of ports of switches that lead to CAs
     * @param ends of ports of CAs
     */
    public SimSettings withArbitration(Arbitration switches, Arbitration towards, Arbitration ends) {
        return new SimSettings(
                linkNanos, switchNanos, bufferBytes, packets, lifetimeNanos, checkNanos, switches, towards, ends);
    }
}
