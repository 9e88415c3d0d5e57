package org.railyard.fabric.sim;

import java.util.Arrays;

/** What each port is sending, until the tail of it has left. */
final class Transmissions {
    /** By port: the buffer that it sends from; {@link Queues#NONE} while it sends nothing. */
    private final int[] buffers;

    /** By port: the packet as it was when it began to be sent; its number may be that of another one by now. */
    private final int[] packets;

    /** Times of a port are at port · 2 and behind it: when the tail came, or comes, and when it is at the far end. */
    private final long[] times;

    Transmissions(int ports) {
        buffers = new int[ports];
        packets = new int[ports];
        times = new long[2 * ports];
        Arrays.fill(buffers, Queues.NONE);
    }

    boolean isSending(int port) {
        return buffers[port] != Queues.NONE;
    }

    /**
     * A port begins to send.
     *
     * @param came when the tail of the packet came, or comes, to the buffer
     * @param arrives when it comes to the other end of the link; no other packet of the port has the same
     */
    void begin(int port, int buffer, int packet, long came, long arrives) {
        buffers[port] = buffer;
        packets[port] = packet;
        times[2 * port] = came;
        times[2 * port + 1] = arrives;
    }

    /** The tail has left; returns the buffer that it was in. */
    int end(int port) {
        int buffer = buffers[port];
        buffers[port] = Queues.NONE;
        return buffer;
    }

    int buffer(int port) {
        return buffers[port];
    }

    int packet(int port) {
        return packets[port];
    }

    long came(int port) {
        return times[2 * port];
    }

    long arrives(int port) {
        return times[2 * port + 1];
    }
}
