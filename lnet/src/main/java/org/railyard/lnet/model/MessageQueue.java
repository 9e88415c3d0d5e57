package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;

/** A FIFO of messages, linked through the messages themselves: a message is in one queue at most, and queueing allocates nothing. */
public final class MessageQueue {
    private @Nullable Message head;
    private @Nullable Message tail;
    private int size;

    /** Makes an empty queue. */
    public MessageQueue() {}

    /** Appends a message that is in no queue. */
    public void add(Message message) {
        message.next = null;
        if (tail == null) {
            head = message;
        } else {
            tail.next = message;
        }
        tail = message;
        size++;
    }

    /** Removes and returns the first message, or null if there is none. */
    public @Nullable Message poll() {
        Message first = head;
        if (first != null) {
            head = first.next;
            if (head == null) {
                tail = null;
            }
            first.next = null;
            size--;
        }
        return first;
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
