package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;

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
            Message second = first.next;
            head = second;
            if (second == null) {
                tail = null;
            } else {
                second.previous = null;
            }
            first.next = null;
            first.queue = null;
            size--;
        }
        return first;
    }

    /** Returns the first message, or null if there is none. */
    public @Nullable Message peek() {
        return head;
    }

    /** Returns the message behind one that is in this queue, or null if it is the last. */
    public @Nullable Message following(Message message) {
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

    /**
     * Checks the links, the number, and each message.
     *
     * @param waiting what each message waits for
     * @throws AssertionError if one is wrong
     */
    public void checkInvariants(Message.Waiting waiting) {
        int count = 0;
        Message before = null;
        for (Message message = head; message != null; message = message.next) {
            Invariant.check(message.queue == this, message, "to be in one queue, the one that it is linked into");
            Invariant.check(message.previous == before, message, "a link back to the message before it");
            Invariant.check(
                    message.waiting() == waiting,
                    message,
                    "to wait for what its queue is for",
                    waiting,
                    message.waiting());
            message.checkInvariants();
            before = message;
            count++;
            Invariant.check(count <= size, "a queue", "no more messages than its number", size);
        }
        Invariant.check(tail == before, "a queue", "its last message to be the last one linked");
        Invariant.check(size == count, "a queue", "its number to be that of its messages", size, count);
    }
}
