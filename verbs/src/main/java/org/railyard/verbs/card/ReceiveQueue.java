package org.railyard.verbs.card;

import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.WorkStatus;

/**
 * The receive queue of a queue pair: receives in the order in which they were posted. What it tells is about the first
 * one. Not thread-safe.
 */
public final class ReceiveQueue {
    private final CardQp qp;
    private final long[] ids;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private int first;
    private int size;

    ReceiveQueue(CardQp qp, int capacity) {
        this.qp = qp;
        ids = new long[capacity];
        addresses = new long[capacity];
        lengths = new int[capacity];
        keys = new int[capacity];
    }

    /** Tells whether none is posted. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Appends one; false if there is no room. */
    boolean post(long id, long address, int length, int key) {
        if (size == ids.length) {
            return false;
        }
        int slot = first + size++;
        if (slot >= ids.length) {
            slot -= ids.length;
        }
        ids[slot] = id;
        addresses[slot] = address;
        lengths[slot] = length;
        keys[slot] = key;
        return true;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return addresses[first];
    }

    /** Returns how many bytes there is room for. */
    public int length() {
        return lengths[first];
    }

    /** Returns the local key. */
    public int key() {
        return keys[first];
    }

    /**
     * Completes the first one.
     *
     * @param bytes how many came
     */
    public void complete(WorkStatus status, int bytes) {
        long id = ids[first];
        first = first + 1 == ids.length ? 0 : first + 1;
        size--;
        qp.cq().add(id, status, Operation.RECEIVE, bytes, qp.number());
    }

    /** Completes all as flushed: one by one, as a completion queue that overflows takes away the rest. */
    void flush() {
        while (!isEmpty()) {
            complete(WorkStatus.FLUSHED, 0);
        }
    }

    /** Forgets everything. */
    void clear() {
        size = 0;
    }
}
