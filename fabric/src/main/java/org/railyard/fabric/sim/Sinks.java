package org.railyard.fabric.sim;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;

/**
 * How end ports take packets (spec 33 §3.7): as fast as they come, unless they are told to be slower, or to stop. What they have not taken stays in their buffers,
 * and has the credits of those.
 */
final class Sinks {
    private static final int VLS = 16;

    private final Switching switching;
    private final Ports ports;
    private final Packets packets;
    private final Queues queues;

    /** By port: ns for each ns that the link takes to bring a packet; 1 = as fast as they come. */
    private final double[] slowness;

    private final boolean[] stopped;

    /** When a slow end port is ready for the next packet. */
    private final long[] ready;

    /** Whether a slow end port is taking a packet. */
    private final boolean[] taking;

    Sinks(Switching switching) {
        this.switching = switching;
        ports = switching.ports;
        packets = switching.packets;
        queues = switching.queues;
        slowness = new double[ports.count()];
        Arrays.fill(slowness, 1);
        stopped = new boolean[ports.count()];
        ready = new long[ports.count()];
        taking = new boolean[ports.count()];
    }

    boolean isStopped(int port) {
        return stopped[port];
    }

    /** Makes an end port take no packets any more, or take them again. */
    void setStopped(int port, boolean stop) {
        stopped[port] = stop;
        goOn(port);
    }

    /** Makes an end port take packets at a share of the rate of its link, above 0 and at most 1. */
    void setShare(int port, double share) {
        slowness[port] = 1 / share;
        goOn(port);
    }

    private boolean isSlow(int port) {
        return slowness[port] > 1;
    }

    /** The tail of a packet has come to an end port; returns whether the packet stays in the buffer for now. */
    boolean keeps(int channel, int packet) {
        int port = ports.far[channel >> 4];
        if (!stopped[port] && !isSlow(port) && !taking[port]) {
            return false;
        }
        queues.append(channel, packet);
        goOn(port);
        return true;
    }

    /** Takes what may be taken. */
    private void goOn(int port) {
        for (int channel = longest(port); channel != Queues.NONE; channel = longest(port)) {
            if (stopped[port] || taking[port]) {
                return;
            }
            if (isSlow(port)) {
                begin(port, channel);
                return;
            }
            switching.take(channel);
        }
    }

    private void begin(int port, int channel) {
        int packet = queues.head(channel);
        long alone = ports.nanos(channel >> 4, packets.bytes(packet));
        // It may begin with the head of the packet, and can not end before the tail is there.
        long from = Math.max(ready[port], packets.tail(packet) - alone);
        long end = Math.max(switching.events.now(), from + (long) (alone * slowness[port]));
        ready[port] = end;
        taking[port] = true;
        switching.schedule(end, Switching.TAKEN, channel);
    }

    /** A slow end port has taken the head of a buffer. */
    void taken(int channel) {
        int port = ports.far[channel >> 4];
        taking[port] = false;
        if (queues.head(channel) != Queues.NONE) {
            switching.take(channel);
        }
        goOn(port);
    }

    /** Returns the buffer of an end port whose head came first; NONE if all are empty. */
    private int longest(int port) {
        int sender = ports.far[port];
        int best = Queues.NONE;
        for (int vl = 0; vl < VLS && sender != Fabric.NONE; vl++) {
            int channel = sender << 4 | vl;
            int packet = queues.head(channel);
            if (packet != Queues.NONE
                    && (best == Queues.NONE || packets.tail(packet) < packets.tail(queues.head(best)))) {
                best = channel;
            }
        }
        return best;
    }
}
