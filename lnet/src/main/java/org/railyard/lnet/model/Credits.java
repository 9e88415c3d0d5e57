package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;

/** A pool of credits with the messages that wait for one (spec 10 §7). A value of −n means that n messages wait. */
public final class Credits {
    private final MessageQueue waiting = new MessageQueue();
    private int max;
    private int value;
    private int min;

    /** Makes a full pool. */
    public Credits(int max) {
        this.max = max;
        this.value = max;
        this.min = max;
    }

    /** Takes a credit; returns false if there is none, then the message waits in line. */
    public boolean take(Message message) {
        value--;
        min = Math.min(min, value);
        if (value < 0) {
            waiting.add(message);
            return false;
        }
        return true;
    }

    /** Gives a credit back; returns the message that gets it at once, or null. */
    public @Nullable Message giveBack() {
        value++;
        return value <= 0 ? waiting.poll() : null;
    }

    /** Takes a message out of the line that waits here; it never had a credit. */
    public void withdraw(Message message) {
        waiting.remove(message);
        value++;
    }

    /** Moves all that wait elsewhere; they never had a credit. */
    public void drainTo(MessageQueue other) {
        value += waiting.size();
        waiting.drainTo(other);
    }

    /** Returns the message that waits longest, still in line, or null if none waits. */
    public @Nullable Message first() {
        return waiting.peek();
    }

    /** Returns the message that waits behind one which waits here, or null if it is the last. */
    public @Nullable Message following(Message message) {
        return waiting.following(message);
    }

    /**
     * Changes the size of the pool; what is in use stays in use. In a pool that has grown, {@link #next} returns the
     * messages that need not wait any more.
     */
    public void resize(int newMax) {
        value += newMax - max;
        min = Math.min(value, min + newMax - max);
        max = newMax;
    }

    /** Takes a message that has a credit now out of the line, or returns null. */
    @Nullable
    Message next() {
        return waiting.size() > Math.max(0, -value) ? waiting.poll() : null;
    }

    /** Returns the credits now. */
    public int value() {
        return value;
    }

    /** Returns the fewest there ever were. */
    public int min() {
        return min;
    }

    /** Returns the credits at rest. */
    public int max() {
        return max;
    }

    /**
     * Checks that there are no more credits than there may be, and that messages wait only while there are none.
     *
     * @param of whose they are, for the error
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants(Object of) {
        checkInvariants(of, Message.Waiting.FOR_CREDIT);
    }

    /**
     * Checks router credits: messages that wait for one are received by nobody yet, and wait as their transports do.
     *
     * @param of whose they are, for the error
     * @throws AssertionError if there are more than there may be, or messages wait while there are some
     */
    public void checkRouterInvariants(Object of) {
        checkInvariants(of, Message.Waiting.NO);
    }

    private void checkInvariants(Object of, Message.Waiting state) {
        Invariant.check(value <= max, of, "at most as many credits as at rest", value, max);
        Invariant.check(min <= value, of, "the fewest credits ever to be no more than there are", min, value);
        Invariant.check(
                waiting.size() <= Math.max(0, -value),
                of,
                "no more messages to wait than credits are missing",
                waiting.size(),
                value);
        waiting.checkInvariants(state);
    }
}
