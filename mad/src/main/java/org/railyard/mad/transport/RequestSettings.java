package org.railyard.mad.transport;

/**
 * How requests are sent (spec 40 §6).
 *
 * @param timeoutNanos how long an answer may take, ns
 * @param retries how often a request is sent again
 * @param startWindow outstanding requests at the beginning, and the fewest there may be
 * @param maxWindow most outstanding requests
 * @param maxPerTarget most outstanding requests to one target: small agents drop more
 */
public record RequestSettings(long timeoutNanos, int retries, int startWindow, int maxWindow, int maxPerTarget) {
    /** 200 ms, 3 retries, 4 to 64 outstanding, 4 to each target. */
    public static final RequestSettings DEFAULT = new RequestSettings(200_000_000L, 3, 4, 64, 4);

    /** Largest window. */
    public static final int MAX_WINDOW = 4096;

    /** Most retries. */
    public static final int MAX_RETRIES = 100;

    /** Longest time-out, ns. */
    public static final long MAX_TIMEOUT = 600_000_000_000L;

    /** Checks the ranges. */
    public RequestSettings {
        check("time-out, ns", timeoutNanos, 1_000_000, MAX_TIMEOUT);
        check("retries", retries, 0, MAX_RETRIES);
        check("window at the beginning", startWindow, 1, maxWindow);
        check("largest window", maxWindow, 1, MAX_WINDOW);
        check("requests to one target", maxPerTarget, 1, MAX_WINDOW);
    }

    private static void check(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + ": " + value + " is not " + min + " to " + max);
        }
    }

    /** Returns the same with another time-out and other retries. */
    public RequestSettings withTimeout(long nanos, int times) {
        return new RequestSettings(nanos, times, startWindow, maxWindow, maxPerTarget);
    }

    /** Returns the same with other windows. */
    public RequestSettings withWindow(int start, int max, int perTarget) {
        return new RequestSettings(timeoutNanos, retries, start, max, perTarget);
    }
}
