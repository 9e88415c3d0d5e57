package org.railyard.fabric.sim;

/** All packets that are anywhere, as numbers in arrays. */
final class Packets {
    static final int NONE = -1;

    final int[] source;
    final int[] destination;
    final byte[] sl;
    final int[] bytes;
    final long[] birth;
    final long[] token;
    final short[] hops;

    /** The channel that it is sent on, or waits for. */
    final int[] channel;

    /** State of the link that it is sent on: another one when it arrives means that it is lost. */
    final char[] epoch;

    /** When its tail comes, or came, to where its head is. */
    final long[] tail;

    /** When it came to the head of its queue. */
    final long[] headSince;

    /** The next one in its queue. */
    final int[] next;

    private int free;
    private int count;

    Packets(int capacity) {
        source = new int[capacity];
        destination = new int[capacity];
        sl = new byte[capacity];
        bytes = new int[capacity];
        birth = new long[capacity];
        token = new long[capacity];
        hops = new short[capacity];
        channel = new int[capacity];
        epoch = new char[capacity];
        tail = new long[capacity];
        headSince = new long[capacity];
        next = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            next[i] = i + 1 == capacity ? NONE : i + 1;
        }
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return free == NONE;
    }

    int take() {
        int packet = free;
        free = next[packet];
        next[packet] = NONE;
        hops[packet] = 0;
        count++;
        return packet;
    }

    void release(int packet) {
        next[packet] = free;
        free = packet;
        count--;
    }

    /** Returns the credits that a packet takes. */
    int credits(int packet) {
        return (bytes[packet] + SimSettings.CREDIT_BYTES - 1) / SimSettings.CREDIT_BYTES;
    }
}
