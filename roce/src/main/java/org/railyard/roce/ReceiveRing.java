package org.railyard.roce;

/** The receives of a queue pair, in the order in which they were posted. What it tells is about the first one. */
final class ReceiveRing {
    private final long[] ids;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private int first;
    private int size;

    ReceiveRing(int capacity) {
        ids = new long[capacity];
        addresses = new long[capacity];
        lengths = new int[capacity];
        keys = new int[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Appends one; false if there is no room. */
    boolean add(long id, long address, int length, int key) {
        if (size == ids.length) {
            return false;
        }
        int slot = (first + size++) % ids.length;
        ids[slot] = id;
        addresses[slot] = address;
        lengths[slot] = length;
        keys[slot] = key;
        return true;
    }

    long id() {
        return ids[first];
    }

    long address() {
        return addresses[first];
    }

    int length() {
        return lengths[first];
    }

    int key() {
        return keys[first];
    }

    void removeFirst() {
        first = (first + 1) % ids.length;
        size--;
    }

    void clear() {
        size = 0;
    }
}
