package org.railyard.socklnd.connection;

/** Cookies still to be acknowledged, in order, in a ring that grows up to a limit. Not thread-safe. */
public final class CookieQueue {
    /** A peer that has so many requests open without reading our acks breaks the rules. */
    public static final int LIMIT = 65_536;

    private static final int FIRST_CAPACITY = 16;

    private long[] ring = new long[FIRST_CAPACITY];
    private int head;
    private int size;

    /** Returns whether it is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Appends a cookie; false if the limit is reached. */
    public boolean offer(long cookie) {
        if (size == LIMIT) {
            return false;
        }
        if (size == ring.length) {
            long[] larger = new long[ring.length * 2];
            for (int i = 0; i < size; i++) {
                larger[i] = ring[(head + i) & ring.length - 1];
            }
            ring = larger;
            head = 0;
        }
        ring[(head + size) & ring.length - 1] = cookie;
        size++;
        return true;
    }

    /** Removes and returns the first cookie; there must be one. */
    public long poll() {
        long cookie = ring[head];
        head = (head + 1) & ring.length - 1;
        size--;
        return cookie;
    }
}
