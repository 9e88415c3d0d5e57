package org.railyard.fabric.sim.job;

/**
 * How ranks send.
 *
 * @param payload most bytes of a message in a packet
 * @param headers what headers add to a packet, bytes
 * @param outstanding messages of a rank that may be under way at a time: one has arrived when its last packet has, and
 *     the sender knows it then
 * @param retryNanos how long after a loss the lost packets of a message are sent again, ns
 * @param retries how often that happens, while no packet of the message arrives, before the message, and the job, is
 *     given up
 * @param untilNanos when to end in any case, ns
 */
public record JobSettings(int payload, int headers, int outstanding, long retryNanos, int retries, long untilNanos) {
    /** Most messages of a rank under way. */
    public static final int MAX_OUTSTANDING = 1024;

    /** Longest times, ns: a hundred seconds. */
    public static final long MAX_NANOS = 100_000_000_000L;

    /** Most retries. */
    public static final int MAX_RETRIES = 1000;

    /** Checks the ranges. */
    public JobSettings {
        check("payload", payload, 1, 1 << 16);
        check("headers", headers, 0, 1 << 10);
        check("outstanding messages", outstanding, 1, MAX_OUTSTANDING);
        check("time before packets are sent again, ns", retryNanos, 1, MAX_NANOS);
        check("retries", retries, 0, MAX_RETRIES);
        check("end, ns", untilNanos, 1, MAX_NANOS);
    }

    private static void check(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s: %d is not %d to %d".formatted(what, value, min, max));
        }
    }
}
