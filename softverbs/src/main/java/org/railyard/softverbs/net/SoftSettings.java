package org.railyard.softverbs.net;

import org.railyard.fabric.sim.SimSettings;

/**
 * How long things take on a simulated fabric, ns, and how often they are tried.
 *
 * @param linkDelay a bit on a cable
 * @param switchDelay a packet through a switch
 * @param requestDelay a card with one work request
 * @param noticeDelay from a completion to the call of its listener
 * @param managerDelay a node with one message of the connection manager
 * @param ackTimeout how long a card waits for an acknowledgement
 * @param rnrTimer how long a card waits before it tries a receiver again that had nothing posted
 * @param managerTimeout how long the connection manager waits for an answer
 * @param managerRetries how often it asks again
 * @param mtu largest packet, bytes
 * @param window messages of one queue pair under way at a time; with {@link Fidelity#PACKET}, {@link #PACKETS} packets
 *     each
 * @param fidelity whether messages or packets travel
 * @param bufferBytes room of an input buffer of a switch for one VL, bytes, with {@link Fidelity#PACKET}; at least one
 *     packet
 */
public record SoftSettings(
        long linkDelay,
        long switchDelay,
        long requestDelay,
        long noticeDelay,
        long managerDelay,
        long ackTimeout,
        long rnrTimer,
        long managerTimeout,
        int managerRetries,
        int mtu,
        int window,
        Fidelity fidelity,
        int bufferBytes) {
    /** Largest message, bytes. */
    public static final int MAX_MESSAGE = 8 << 20;

    /** Packets under way at a time, for each message that may be. */
    public static final int PACKETS = 4;

    /** Headers and checksums of a packet, bytes. */
    public static final int PACKET_OVERHEAD = 30;

    private static final long TICK = 4096;
    private static final int TWO_PACKETS = 10 << 10;

    /** Times of a usual fabric. */
    public static final SoftSettings DEFAULT = new SoftSettings(
            25, 150, 100, 500, 10_000, TICK << 14, 640_000, TICK << 20, 15, 4096, 16, Fidelity.MESSAGE, TWO_PACKETS);

    /** Checks that nothing is negative and that time passes. */
    public SoftSettings {
        if (linkDelay < 0
                || switchDelay < 0
                || requestDelay < 0
                || noticeDelay < 0
                || managerDelay < 1
                || ackTimeout < 1
                || rnrTimer < 1
                || managerTimeout < 1
                || managerRetries < 0
                || mtu < 256
                || window < 1
                || bufferBytes < mtu + PACKET_OVERHEAD
                || bufferBytes > SimSettings.MAX_BUFFER) {
            throw new IllegalArgumentException("settings of a simulated fabric out of range");
        }
    }

    /** Returns other settings, with another time to wait for acknowledgements, ns. */
    public SoftSettings withAckTimeout(long other) {
        return with(other, fidelity, bufferBytes);
    }

    /** Returns other settings, with messages or packets. */
    public SoftSettings withFidelity(Fidelity other) {
        return with(ackTimeout, other, bufferBytes);
    }

    /** Returns other settings, with other buffers, bytes. */
    public SoftSettings withBuffers(int bytes) {
        return with(ackTimeout, fidelity, bytes);
    }

    private SoftSettings with(long otherTimeout, Fidelity otherFidelity, int otherBuffers) {
        return new SoftSettings(
                linkDelay,
                switchDelay,
                requestDelay,
                noticeDelay,
                managerDelay,
                otherTimeout,
                rnrTimer,
                managerTimeout,
                managerRetries,
                mtu,
                window,
                otherFidelity,
                otherBuffers);
    }

    /**
     * Returns how much of a message travels at a time, bytes.
     *
     * @param pathMtu largest packet of the connection, bytes
     */
    public int segmentBytes(int pathMtu) {
        return fidelity == Fidelity.PACKET ? pathMtu : MAX_MESSAGE;
    }

    /** Returns how many segments of one queue pair are under way at a time. */
    public int segmentWindow() {
        return fidelity == Fidelity.PACKET ? window * PACKETS : window;
    }

    /** Returns what the packet simulator has to know. */
    SimSettings ofPackets() {
        return SimSettings.DEFAULT.withDelays(linkDelay, switchDelay).withBuffers(bufferBytes);
    }
}
