package org.railyard.fabric.sim;

import java.util.Arrays;

/**
 * All packets that are anywhere, as numbers; what is known of one lies together, for the cache. There may be more than
 * senders have, as multicast copies come on top.
 */
final class Packets {
    static final int NONE = -1;

    /** Most packets, copies included. */
    static final int MAX_COUNT = 2 * SimSettings.MAX_PACKETS;

    private static final int CREDIT_BITS = Integer.numberOfTrailingZeros(SimSettings.CREDIT_BYTES);

    /** Numbers of a packet are at packet · 8 and behind it. */
    private static final int SHIFT = 3;

    private static final int SOURCE = 0;
    private static final int DESTINATION = 1;
    private static final int BYTES = 2;
    /** Hops · 16 + SL. */
    private static final int SL_AND_HOPS = 3;

    private static final int SENT = 4;
    private static final int CHANNEL = 5;
    private static final int BUFFER = 6;
    private static final int NEXT = 7;

    private static final int SL_BITS = 4;
    private static final int MAX_SL = 15;

    /** Times of a packet are at packet · 4 and behind it. */
    private static final int TIME_SHIFT = 2;

    private static final int BIRTH = 0;
    private static final int TOKEN = 1;
    private static final int TAIL = 2;
    private static final int HEAD_SINCE = 3;

    /** Most that senders may have under way. */
    private final int limit;

    private int[] numbers;
    private long[] times;
    private char[] epochs;
    private boolean[] watched;
    private boolean[] cut;
    private int free;
    private int count;

    Packets(int capacity) {
        limit = capacity;
        numbers = new int[capacity << SHIFT];
        times = new long[capacity << TIME_SHIFT];
        epochs = new char[capacity];
        watched = new boolean[capacity];
        cut = new boolean[capacity];
        chain(0);
    }

    private void chain(int from) {
        for (int packet = from; packet < epochs.length; packet++) {
            setBuffer(packet, NONE);
            setNext(packet, packet + 1 == epochs.length ? NONE : packet + 1);
        }
        free = from;
    }

    int count() {
        return count;
    }

    int capacity() {
        return epochs.length;
    }

    /** Tells whether senders have to wait; copies do not. */
    boolean isFull() {
        return count >= limit;
    }

    int take() {
        if (free == NONE) {
            grow();
        }
        int packet = free;
        free = next(packet);
        setNext(packet, NONE);
        cut[packet] = false;
        count++;
        return packet;
    }

    private void grow() {
        int from = epochs.length;
        int size = Math.min(2 * from, MAX_COUNT);
        numbers = Arrays.copyOf(numbers, size << SHIFT);
        times = Arrays.copyOf(times, size << TIME_SHIFT);
        epochs = Arrays.copyOf(epochs, size);
        watched = Arrays.copyOf(watched, size);
        cut = Arrays.copyOf(cut, size);
        chain(from);
    }

    /** Returns a packet that is like another one; {@link #NONE} if there are {@link #MAX_COUNT}. */
    int copy(int of) {
        if (count >= MAX_COUNT) {
            return NONE;
        }
        int packet = take();
        setSource(packet, source(of));
        setDestination(packet, destination(of));
        setBytes(packet, bytes(of));
        numbers[(packet << SHIFT) + SL_AND_HOPS] = numbers[(of << SHIFT) + SL_AND_HOPS];
        numbers[(packet << SHIFT) + SENT] = numbers[(of << SHIFT) + SENT];
        setBirth(packet, birth(of));
        setToken(packet, token(of));
        setTail(packet, tail(of));
        return packet;
    }

    void release(int packet) {
        setNext(packet, free);
        free = packet;
        count--;
    }

    /** Returns the credits that a packet takes. */
    int credits(int packet) {
        return bytes(packet) + SimSettings.CREDIT_BYTES - 1 >> CREDIT_BITS;
    }

    int source(int packet) {
        return numbers[(packet << SHIFT) + SOURCE];
    }

    void setSource(int packet, int value) {
        numbers[(packet << SHIFT) + SOURCE] = value;
    }

    int destination(int packet) {
        return numbers[(packet << SHIFT) + DESTINATION];
    }

    void setDestination(int packet, int value) {
        numbers[(packet << SHIFT) + DESTINATION] = value;
    }

    int bytes(int packet) {
        return numbers[(packet << SHIFT) + BYTES];
    }

    void setBytes(int packet, int value) {
        numbers[(packet << SHIFT) + BYTES] = value;
    }

    int sl(int packet) {
        return numbers[(packet << SHIFT) + SL_AND_HOPS] & MAX_SL;
    }

    int hops(int packet) {
        return numbers[(packet << SHIFT) + SL_AND_HOPS] >>> SL_BITS;
    }

    /** It is to be sent with an SL, and has passed no switch. */
    void setSl(int packet, int sl) {
        numbers[(packet << SHIFT) + SL_AND_HOPS] = sl & MAX_SL;
    }

    /** It passes a switch; returns how many it has passed with that. */
    int pass(int packet) {
        return (numbers[(packet << SHIFT) + SL_AND_HOPS] += 1 << SL_BITS) >>> SL_BITS;
    }

    /** Returns when its sender began to send it. */
    long sent(int packet) {
        return birth(packet) + numbers[(packet << SHIFT) + SENT];
    }

    /** Its sender begins to send it; what waits for longer than two seconds counts as sent then. */
    void setSent(int packet, long time) {
        numbers[(packet << SHIFT) + SENT] = (int) Math.min(Integer.MAX_VALUE, time - birth(packet));
    }

    /** Returns the channel that it is sent on, or waits for. */
    int channel(int packet) {
        return numbers[(packet << SHIFT) + CHANNEL];
    }

    void setChannel(int packet, int value) {
        numbers[(packet << SHIFT) + CHANNEL] = value;
    }

    /** Returns the buffer that it asks from for a channel; NONE while it asks for none. */
    int buffer(int packet) {
        return numbers[(packet << SHIFT) + BUFFER];
    }

    void setBuffer(int packet, int value) {
        numbers[(packet << SHIFT) + BUFFER] = value;
    }

    /** Returns the next one in its queue, or among those that ask for the same channel. */
    int next(int packet) {
        return numbers[(packet << SHIFT) + NEXT];
    }

    void setNext(int packet, int value) {
        numbers[(packet << SHIFT) + NEXT] = value;
    }

    long birth(int packet) {
        return times[(packet << TIME_SHIFT) + BIRTH];
    }

    void setBirth(int packet, long value) {
        times[(packet << TIME_SHIFT) + BIRTH] = value;
    }

    long token(int packet) {
        return times[(packet << TIME_SHIFT) + TOKEN];
    }

    void setToken(int packet, long value) {
        times[(packet << TIME_SHIFT) + TOKEN] = value;
    }

    /** Returns when its tail comes, or came, to where its head is. */
    long tail(int packet) {
        return times[(packet << TIME_SHIFT) + TAIL];
    }

    void setTail(int packet, long value) {
        times[(packet << TIME_SHIFT) + TAIL] = value;
    }

    /** Returns when it came to the head of its queue. */
    long headSince(int packet) {
        return times[(packet << TIME_SHIFT) + HEAD_SINCE];
    }

    void setHeadSince(int packet, long value) {
        times[(packet << TIME_SHIFT) + HEAD_SINCE] = value;
    }

    /** Returns the state of the link that it is sent on: another one when it arrives means that it is lost. */
    char epoch(int packet) {
        return epochs[packet];
    }

    void setEpoch(int packet, char value) {
        epochs[packet] = value;
    }

    /**
     * Returns whether its lifetime is going to be looked at. That stays with the number when it becomes that of another
     * packet.
     */
    boolean isWatched(int packet) {
        return watched[packet];
    }

    void setWatched(int packet, boolean value) {
        watched[packet] = value;
    }

    /** Returns whether a link went down before its tail had passed it: it is lost where it comes to next. */
    boolean isCut(int packet) {
        return cut[packet];
    }

    void setCut(int packet) {
        cut[packet] = true;
    }
}
