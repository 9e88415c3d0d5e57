package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;

/**
 * The router buffers of one size on one CPU partition, with the messages that wait for one (spec 11 §6.6). What was
 * used last is used next: it is still in the cache, and buffers that are never needed never get memory. Guarded by the
 * stack's lock.
 */
public final class RouterPool {
    private final int bytes;
    private final MessageQueue waiting = new MessageQueue();
    private @Nullable RouterBuffer free;
    private int freeCount;
    private int size;
    private int wanted;
    private int used;
    private int min;

    /**
     * Makes a pool with all buffers free.
     *
     * @param bytes the longest payload
     * @param size how many buffers
     */
    public RouterPool(int bytes, int size) {
        this.bytes = bytes;
        this.size = size;
        this.wanted = size;
        this.min = size;
    }

    /** Returns the longest payload, bytes. */
    public int bytes() {
        return bytes;
    }

    /** Gives a message a buffer; returns false if none is free, then the message waits in line. */
    public boolean take(Message message) {
        boolean first = used < size && waiting.isEmpty();
        if (first) {
            hand(message);
        } else {
            waiting.add(message);
        }
        min = Math.min(min, credits());
        return first;
    }

    private void hand(Message message) {
        used++;
        RouterBuffer buffer = free;
        if (buffer == null) {
            buffer = new RouterBuffer(this);
        } else {
            free = buffer.next;
            buffer.next = null;
            freeCount--;
        }
        message.transit().buffer = buffer;
    }

    /**
     * Takes a buffer back; if there are more than wanted, one goes for good: one that nobody has needed so far if there
     * is such, so that this one and its memory can be used again. Returns the message that has a buffer now instead, or
     * null.
     */
    public @Nullable Message giveBack(RouterBuffer buffer) {
        used--;
        if (size > wanted) {
            size--;
        }
        if (used + freeCount < size) {
            buffer.next = free;
            free = buffer;
            freeCount++;
        }
        return next();
    }

    /**
     * There is no memory for the buffer that a message got: there will be no more than those that have memory.
     *
     * @return whether the message waits in line for one of them, see {@link #next}; else there is none, and it stays
     *     without
     */
    public boolean retract(Message message) {
        message.transit().buffer = null;
        used--;
        // Even if this was the first, there may be memory for one later.
        size = Math.max(1, used + freeCount);
        wanted = Math.min(wanted, size);
        boolean waits = used + freeCount > 0;
        if (waits) {
            waiting.add(message);
        }
        min = Math.min(min, credits());
        return waits;
    }

    /** Takes a message that has a buffer now out of the line, or returns null. */
    public @Nullable Message next() {
        Message message = used < size ? waiting.poll() : null;
        if (message != null) {
            hand(message);
        }
        return message;
    }

    /** Changes the number of buffers: more are there at once, see {@link #next}; fewer as they come back. */
    public void resize(int number) {
        wanted = number;
        if (number > size) {
            min += number - size;
            size = number;
        }
    }

    /** Has no buffers any more but those in use, which go as they come back. Nobody waits. */
    public void close() {
        wanted = 0;
        size = used;
        free = null;
        freeCount = 0;
    }

    /** Moves the messages that wait here elsewhere. */
    public void drainTo(MessageQueue other) {
        waiting.drainTo(other);
    }

    /** Tells whether no buffer is in use. */
    public boolean isIdle() {
        return used == 0;
    }

    /** Returns the number of buffers. */
    public int size() {
        return size;
    }

    /** Returns how many are free; below 0 that many messages wait. */
    public int credits() {
        return size - used - waiting.size();
    }

    /** Returns the fewest there ever were free. */
    public int min() {
        return min;
    }

    /**
     * Checks the numbers against the free buffers, and that nobody waits while one is free.
     *
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants() {
        String of = "router buffers of " + bytes + " bytes";
        int listed = 0;
        for (RouterBuffer buffer = free; buffer != null && listed <= freeCount; buffer = buffer.next) {
            Invariant.check(buffer.pool() == this, of, "free buffers of its own");
            listed++;
        }
        Invariant.check(listed == freeCount, of, "its number of free buffers to be theirs", freeCount, listed);
        Invariant.check(used >= 0 && used + freeCount <= size, of, "no more buffers than there are", used, size);
        Invariant.check(waiting.isEmpty() || used == size, of, "nobody to wait while one is free", used, size);
        Invariant.check(min <= credits(), of, "the fewest ever free to be no more than are", min, credits());
        waiting.checkInvariants(Message.Waiting.NO);
    }
}
