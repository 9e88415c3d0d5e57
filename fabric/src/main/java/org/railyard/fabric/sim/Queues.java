package org.railyard.fabric.sim;

import java.util.Arrays;

/**
 * Where packets wait. A channel is port index · 16 + VL, as in the proof: a directed link and a VL; the buffer of the same number is at its far end. Behind
 * those come the queues of senders, one for each channel that leaves an end port. The heads of buffers ask for channels, and wait there in the order in
 * which they asked.
 */
final class Queues {
    static final int NONE = -1;
    private static final int VLS = 16;

    private final Packets packets;
    private final int channels;
    private final int[] first;
    private final int[] last;

    /** Credits of the packet that is being sent from a buffer; 0 if none is. */
    private final int[] draining;

    /** Whether the head of the buffer has asked for a channel. */
    private final boolean[] asks;

    private final int[] firstAsking;
    private final int[] lastAsking;
    private final int[] nextAsking;

    /** By port: a bit for each VL that somebody asks for. */
    private final char[] wanted;

    Queues(Packets packets, int ports) {
        this.packets = packets;
        channels = ports * VLS;
        first = new int[2 * channels];
        last = new int[2 * channels];
        draining = new int[2 * channels];
        asks = new boolean[2 * channels];
        nextAsking = new int[2 * channels];
        firstAsking = new int[channels];
        lastAsking = new int[channels];
        wanted = new char[ports];
        Arrays.fill(first, NONE);
        Arrays.fill(firstAsking, NONE);
    }

    int channels() {
        return channels;
    }

    /** Returns the queue of a sender for a channel. */
    int sourceOf(int channel) {
        return channels + channel;
    }

    boolean isSource(int buffer) {
        return buffer >= channels;
    }

    int head(int buffer) {
        return first[buffer];
    }

    /** Tells whether the head of a buffer may ask for a channel: there is one, it has not, and none is being sent. */
    boolean mayAsk(int buffer) {
        return first[buffer] != NONE && draining[buffer] == 0 && !asks[buffer];
    }

    boolean asks(int buffer) {
        return asks[buffer];
    }

    void append(int buffer, int packet) {
        packets.next[packet] = NONE;
        if (first[buffer] == NONE) {
            first[buffer] = packet;
        } else {
            packets.next[last[buffer]] = packet;
        }
        last[buffer] = packet;
    }

    int removeHead(int buffer) {
        int packet = first[buffer];
        first[buffer] = packets.next[packet];
        packets.next[packet] = NONE;
        return packet;
    }

    /** Takes the head out to be sent. */
    int beginDraining(int buffer) {
        int packet = removeHead(buffer);
        draining[buffer] = packets.credits(packet);
        return packet;
    }

    /** Returns the credits of the packet that was sent. */
    int endDraining(int buffer) {
        int credits = draining[buffer];
        draining[buffer] = 0;
        return credits;
    }

    /** The head of a buffer asks for a channel. */
    void ask(int buffer, int channel) {
        asks[buffer] = true;
        nextAsking[buffer] = NONE;
        if (firstAsking[channel] == NONE) {
            firstAsking[channel] = buffer;
            wanted[channel >> 4] |= (char) (1 << (channel & 15));
        } else {
            nextAsking[lastAsking[channel]] = buffer;
        }
        lastAsking[channel] = buffer;
    }

    /** Returns whose turn it is; {@link #NONE} if nobody asks. */
    int asking(int channel) {
        return firstAsking[channel];
    }

    int nextAsking(int buffer) {
        return nextAsking[buffer];
    }

    int wanted(int port) {
        return wanted[port];
    }

    /** Takes back what a buffer has asked for. */
    void withdraw(int buffer, int channel) {
        int before = NONE;
        for (int at = firstAsking[channel]; at != buffer; at = nextAsking[at]) {
            before = at;
        }
        int after = nextAsking[buffer];
        if (before == NONE) {
            firstAsking[channel] = after;
        } else {
            nextAsking[before] = after;
        }
        if (lastAsking[channel] == buffer) {
            lastAsking[channel] = before;
        }
        if (firstAsking[channel] == NONE) {
            wanted[channel >> 4] &= (char) ~(1 << (channel & 15));
        }
        asks[buffer] = false;
    }

    /** Returns the credits of everything in a buffer, with what is being sent from it. */
    int occupied(int buffer) {
        int sum = draining[buffer];
        for (int packet = first[buffer]; packet != NONE; packet = packets.next[packet]) {
            sum += packets.credits(packet);
        }
        return sum;
    }
}
