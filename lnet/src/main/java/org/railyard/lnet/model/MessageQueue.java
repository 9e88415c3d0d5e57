package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;

/**
 * A FIFO of messages, linked through the messages themselves: a message is in one queue at most, queueing allocates
 * nothing, and any message can be taken out at once.
 */
public final class MessageQueue {
    private @Nullable Message head;
    private @Nullable Message tail;
    private int size;

    /** Makes an empty queue. */
    public MessageQueue() {}

    /** Appends a message that is in no queue. */
    public void add(Message message) {
        if (message.queue != null) {
            throw new IllegalArgumentException("the message is in a queue already");
        }
        message.next = null;
        message.previous = tail;
        if (tail == null) {
            head = message;
        } else {
            tail.next = message;
        }
        tail = message;
        message.queue = this;
        size++;
    }

    /** Removes and returns the first message, or null if there is none. */
    public @Nullable Message poll() {
        Message first = head;
        if (first != null) {
            remove(first);
        }
        return first;
    }

    /** Returns the first message, or null if there is none. */
    public @Nullable Message peek() {
        return head;
    }

    /** Returns the message behind one that is in this queue, or null if it is the last. */
    @Nullable
    Message following(Message message) {
        return message.next;
    }

    /** Removes a message that is in this queue. */
    public void remove(Message message) {
        if (message.queue != this) {
            throw new IllegalArgumentException("the message is not in this queue");
        }
        if (message.previous == null) {
            head = message.next;
        } else {
            message.previous.next = message.next;
        }
        if (message.next == null) {
            tail = message.previous;
        } else {
            message.next.previous = message.previous;
        }
        message.next = null;
        message.previous = null;
        message.queue = null;
        size--;
    }

    /** Moves everything to the end of another queue. */
    public void drainTo(MessageQueue other) {
        for (Message m = poll(); m != null; m = poll()) {
            other.add(m);
        }
    }

    /** Returns the number of messages. */
    public int size() {
        return size;
    }

    /** Tells whether there is no message. */
    public boolean isEmpty() {
        return head == null;
    }
}
