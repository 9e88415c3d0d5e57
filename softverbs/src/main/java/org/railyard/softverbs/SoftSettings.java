package org.railyard.softverbs;

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
 * @param window messages of one queue pair under way at a time
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
        int window) {
    private static final long TICK = 4096;

    /** Times of a usual fabric. */
    public static final SoftSettings DEFAULT =
            new SoftSettings(25, 150, 100, 500, 10_000, TICK << 14, 640_000, TICK << 20, 15, 4096, 16);

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
                || window < 1) {
            throw new IllegalArgumentException("settings of a simulated fabric out of range");
        }
    }

    /** Returns other settings, with another time to wait for acknowledgements, ns. */
    public SoftSettings withAckTimeout(long other) {
        return new SoftSettings(
                linkDelay,
                switchDelay,
                requestDelay,
                noticeDelay,
                managerDelay,
                other,
                rnrTimer,
                managerTimeout,
                managerRetries,
                mtu,
                window);
    }
}
