package org.railyard.fabric.sim;

import java.util.Arrays;

/** What ports have done since the beginning, by port index (spec 33 §7). */
public final class PortFigures {
    private static final long NOT_WAITING = -1;

    private final long[] bytes;
    private final long[] waited;
    private final long[] since;
    private long longestWait;

    PortFigures(int ports) {
        bytes = new long[ports];
        waited = new long[ports];
        since = new long[ports];
        Arrays.fill(since, NOT_WAITING);
    }

    void sends(int port, int count, long now, long atHead) {
        bytes[port] += count;
        longestWait = Math.max(longestWait, atHead);
        if (since[port] != NOT_WAITING) {
            waited[port] += now - since[port];
            since[port] = NOT_WAITING;
        }
    }

    /** Nothing of what a port should send has credits. */
    void waits(int port, long now) {
        if (since[port] == NOT_WAITING) {
            since[port] = now;
        }
    }

    /** Returns how many bytes a port has sent. */
    public long bytes(int port) {
        return bytes[port];
    }

    /** Returns for how long a port had packets and no credits for any of them, ns, as PortXmitWait counts; a wait that goes on is not in it. */
    public long waitedNanos(int port) {
        return waited[port];
    }

    /** Returns how long a packet was at the head of a queue before it was sent, ns, at most. */
    public long longestWaitNanos() {
        return longestWait;
    }
}
