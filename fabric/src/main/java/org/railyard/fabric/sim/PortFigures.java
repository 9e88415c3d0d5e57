package org.railyard.fabric.sim;

import java.util.Arrays;

/** What ports have done since the beginning, by port index (spec 33 §7). */
public final class PortFigures {
    private static final long NOT_WAITING = -1;

    /** By channel. */
    private final long[] bytes;

    private final long[] waited;
    private final long[] since;
    private long longestWait;

    PortFigures(int ports) {
        bytes = new long[ports << 4];
        waited = new long[ports];
        since = new long[ports];
        Arrays.fill(since, NOT_WAITING);
    }

    void sends(int channel, int count, long now, long atHead) {
        int port = channel >> 4;
        bytes[channel] += count;
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
        long sum = 0;
        for (int channel = port << 4; channel < (port + 1) << 4; channel++) {
            sum += bytes[channel];
        }
        return sum;
    }

    /** Returns how many bytes a port has sent on a VL, 0–15. */
    public long bytes(int port, int vl) {
        return bytes[port << 4 | vl];
    }

    /**
     * Returns for how long a port had packets and no credits for any of them, ns, as PortXmitWait counts; a wait that
     * goes on is not in it.
     */
    public long waitedNanos(int port) {
        return waited[port];
    }

    /** Returns the same, with a wait that goes on until {@code now}, ns. */
    public long waitedNanos(int port, long now) {
        return since[port] == NOT_WAITING ? waited[port] : waited[port] + now - since[port];
    }

    /** Returns how long a packet was at the head of a queue before it was sent, ns, at most. */
    public long longestWaitNanos() {
        return longestWait;
    }
}
