package org.railyard.socklnd.connection;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;

/** Messages in order, in a ring that grows up to a limit. Not thread-safe. */
public final class TxQueue {
    private static final int FIRST_CAPACITY = 16;

    private final int limit;
    private @Nullable LndMessage[] ring = new LndMessage[FIRST_CAPACITY];
    private int head;
    private int size;

    /** Makes an empty queue for at most so many messages. */
    public TxQueue(int limit) {
        this.limit = limit;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Appends a message; false if the limit is reached. */
    public boolean offer(LndMessage message) {
        if (size == limit) {
            return false;
        }
        if (size == ring.length) {
            grow();
        }
        ring[(head + size) & ring.length - 1] = message;
        size++;
        return true;
    }

    private void grow() {
        @Nullable LndMessage[] larger = new LndMessage[ring.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = ring[(head + i) & ring.length - 1];
        }
        ring = larger;
        head = 0;
    }

    /** Returns the first message, or null. */
    @Nullable
    public LndMessage peek() {
        return size == 0 ? null : ring[head];
    }

    /** Removes and returns the first message, or returns null. */
    @Nullable
    public LndMessage poll() {
        if (size == 0) {
            return null;
        }
        LndMessage message = ring[head];
        ring[head] = null;
        head = (head + 1) & ring.length - 1;
        size--;
        return message;
    }

    /** Moves all messages to the end of a list. */
    void drainTo(List<LndMessage> all) {
        for (LndMessage message = poll(); message != null; message = poll()) {
            all.add(message);
        }
    }
}
