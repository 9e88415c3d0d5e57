package org.railyard.fabric.sim;

import org.railyard.fabric.proof.Channel;

/**
 * Where packets wait. A channel is its number in {@link Channel}: a directed link and a VL; the buffer of the
 * same number is at its far end. Behind those come the queues of senders, one for each channel that leaves an end port.
 * What is known of a channel and its buffer lies together, for the cache.
 *
 * <p>The head of a buffer leaves the queue to ask for a channel, or, if it is multicast, for several; its room in the
 * buffer is taken until the last copy has left. Those who ask for the same channel get it in the order in which they
 * asked.
 */
final class Queues {
    static final int NONE = -1;
    /** What is known of a channel is at channel · 8 and behind it. */
    private static final int SHIFT = 3;

    private static final int FIRST = 0;
    private static final int LAST = 1;
    private static final int LEAVING = 2;
    private static final int COPIES = 3;
    private static final int FIRST_ASKING = 4;
    private static final int LAST_ASKING = 5;
    private static final int CREDITS = 6;
    private static final int RETURNING = 7;

    private final Packets packets;
    private final int channels;
    private final int[] cells;

    /** By port: a bit for each VL that somebody asks for. */
    private final char[] wanted;

    Queues(Packets packets, int ports, int credits) {
        this.packets = packets;
        channels = Channel.number(ports, 0);
        cells = new int[2 * channels << SHIFT];
        wanted = new char[ports];
        for (int at = 0; at < cells.length; at += 1 << SHIFT) {
            cells[at + FIRST] = NONE;
            cells[at + FIRST_ASKING] = NONE;
            cells[at + CREDITS] = credits;
        }
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
        return cells[(buffer << SHIFT) + FIRST];
    }

    /** Returns the credits that the sender of a channel has. */
    int credits(int channel) {
        return cells[(channel << SHIFT) + CREDITS];
    }

    void addCredits(int channel, int more) {
        cells[(channel << SHIFT) + CREDITS] += more;
    }

    /** Returns the credits that are on their way back to the sender of a channel. */
    int returning(int channel) {
        return cells[(channel << SHIFT) + RETURNING];
    }

    void addReturning(int channel, int more) {
        cells[(channel << SHIFT) + RETURNING] += more;
    }

    /** The link of a channel begins anew: what is in its buffer has its credits, the sender has the others of all. */
    void reset(int channel, int all) {
        cells[(channel << SHIFT) + RETURNING] = 0;
        cells[(channel << SHIFT) + CREDITS] = all - occupied(channel);
    }

    /** Tells whether the head of a buffer may ask for a channel: there is one, and none before it is leaving. */
    boolean mayAsk(int buffer) {
        int at = buffer << SHIFT;
        return cells[at + FIRST] != NONE && cells[at + LEAVING] == 0;
    }

    void append(int buffer, int packet) {
        int at = buffer << SHIFT;
        packets.setNext(packet, NONE);
        if (cells[at + FIRST] == NONE) {
            cells[at + FIRST] = packet;
        } else {
            packets.setNext(cells[at + LAST], packet);
        }
        cells[at + LAST] = packet;
    }

    int removeHead(int buffer) {
        int at = buffer << SHIFT;
        int packet = cells[at + FIRST];
        cells[at + FIRST] = packets.next(packet);
        packets.setNext(packet, NONE);
        return packet;
    }

    /**
     * Takes the packets out of a queue whose tails come at {@code from} or later: the last ones, as tails come in the
     * order of heads. Returns the first of them; the others follow it.
     */
    int removeFrom(int buffer, long from) {
        int at = buffer << SHIFT;
        int before = NONE;
        int packet = cells[at + FIRST];
        while (packet != NONE && packets.tail(packet) < from) {
            before = packet;
            packet = packets.next(packet);
        }
        if (packet == NONE) {
            return NONE;
        }
        if (before == NONE) {
            cells[at + FIRST] = NONE;
        } else {
            packets.setNext(before, NONE);
            cells[at + LAST] = before;
        }
        return packet;
    }

    /** Takes the head out of the queue to let it ask; its credits stay taken. */
    int beginLeaving(int buffer) {
        int packet = removeHead(buffer);
        cells[(buffer << SHIFT) + LEAVING] = packets.credits(packet);
        return packet;
    }

    /**
     * A copy of what is leaving a buffer has left, or is lost; returns the credits that are free now: 0 while there are
     * other copies.
     */
    int copyLeft(int buffer) {
        return --cells[(buffer << SHIFT) + COPIES] == 0 ? endLeaving(buffer) : 0;
    }

    /** What was leaving a buffer is gone; returns its credits. */
    int endLeaving(int buffer) {
        int at = (buffer << SHIFT) + LEAVING;
        int credits = cells[at];
        cells[at] = 0;
        return credits;
    }

    /** Tells whether copies of what is leaving a buffer are there. */
    boolean hasCopies(int buffer) {
        return cells[(buffer << SHIFT) + COPIES] != 0;
    }

    /** A packet, or a copy of it, that is leaving a buffer asks for a channel. */
    void ask(int packet, int buffer, int channel) {
        cells[(buffer << SHIFT) + COPIES]++;
        packets.setBuffer(packet, buffer);
        packets.setNext(packet, NONE);
        int at = channel << SHIFT;
        if (cells[at + FIRST_ASKING] == NONE) {
            cells[at + FIRST_ASKING] = packet;
            wanted[Channel.portOf(channel)] |= (char) (1 << Channel.vlOf(channel));
        } else {
            packets.setNext(cells[at + LAST_ASKING], packet);
        }
        cells[at + LAST_ASKING] = packet;
    }

    /** Returns the packet whose turn it is; {@link #NONE} if none asks. */
    int asking(int channel) {
        return cells[(channel << SHIFT) + FIRST_ASKING];
    }

    int wanted(int port) {
        return wanted[port];
    }

    /** Lets the packet go whose turn it is; returns the buffer that it asked from. */
    int grant(int channel) {
        int at = (channel << SHIFT) + FIRST_ASKING;
        int packet = cells[at];
        int after = packets.next(packet);
        cells[at] = after;
        if (after == NONE) {
            wanted[Channel.portOf(channel)] &= (char) ~(1 << Channel.vlOf(channel));
        }
        int buffer = packets.buffer(packet);
        packets.setBuffer(packet, NONE);
        return buffer;
    }

    /** A packet asks no more, though it may not be its turn; returns the buffer that it asked from. */
    int withdraw(int packet, int channel) {
        int before = asking(channel);
        if (before == packet) {
            return grant(channel);
        }
        while (packets.next(before) != packet) {
            before = packets.next(before);
        }
        packets.setNext(before, packets.next(packet));
        int at = (channel << SHIFT) + LAST_ASKING;
        if (cells[at] == packet) {
            cells[at] = before;
        }
        int buffer = packets.buffer(packet);
        packets.setBuffer(packet, NONE);
        return buffer;
    }

    /** Returns the credits of everything in a buffer, with what is leaving it. */
    int occupied(int buffer) {
        int sum = cells[(buffer << SHIFT) + LEAVING];
        for (int packet = head(buffer); packet != NONE; packet = packets.next(packet)) {
            sum += packets.credits(packet);
        }
        return sum;
    }
}
