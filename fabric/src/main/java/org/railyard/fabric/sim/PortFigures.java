package org.railyard.fabric.sim;

import java.util.Arrays;
import org.railyard.fabric.proof.Channel;

/** What ports have done since the beginning, by port index (spec 33 §7). */
public final class PortFigures {
    private static final long NOT_WAITING = -1;

    /** By channel. */
    private final long[] bytes;

    private final long[] waited;
    private final long[] since;
    private long longestWait;

    PortFigures(int ports) {
        bytes = new long[Channel.number(ports, 0)];
        waited = new long[ports];
        since = new long[ports];
        Arrays.fill(since, NOT_WAITING);
    }

    void sends(int channel, int count, long now, long atHead) {
        int port = Channel.portOf(channel);
        bytes[channel] += count;
        longestWait = Math.max(longestWait, atHead);
        waitsNoMore(port, now);
    }

    /** A port has nothing to send, or sends. */
    void waitsNoMore(int port, long now) {
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
        for (int channel = Channel.number(port, 0); channel < Channel.number(port + 1, 0); channel++) {
            sum += bytes[channel];
        }
        return sum;
    }

    /** Returns how many bytes a port has sent on a VL, 0–15. */
    public long bytes(int port, int vl) {
        return bytes[Channel.number(port, vl)];
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
