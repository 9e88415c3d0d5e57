package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.model.Message;

/**
 * Messages that are being sent, wherever they are, by deadline (spec 10 §14). Those with the node's own limit form a
 * queue, since their deadlines grow in the order of arrival; those with a limit of their own are few and kept sorted.
 */
final class ActiveList {
    private final StateLock lock;
    private final DeadlineList<Message> byNodeLimit = new DeadlineList<>();
    private final DeadlineList<Message> byOwnLimit = new DeadlineList<>();

    ActiveList(StateLock lock) {
        this.lock = lock;
    }

    /** Adds a message, or moves it to a new deadline. */
    void put(Message message, long deadline) {
        lock.assertHeld();
        remove(message);
        message.beginTiming(deadline, Launcher.ownLimit(message) > 0);
        listOf(message).insert(message);
    }

    /** Removes a message; no effect if it is not there. */
    void remove(Message message) {
        lock.assertHeld();
        if (message.isTimed()) {
            listOf(message).remove(message);
            message.endTiming();
        }
    }

    /** Returns the message whose deadline passed first, or null if there is none. */
    @Nullable
    Message overdue(long now) {
        lock.assertHeld();
        Message own = byOwnLimit.overdue(now);
        return own != null ? own : byNodeLimit.overdue(now);
    }

    /** Returns the earliest of {@code latest} and the deadlines. */
    long nextDeadline(long latest) {
        lock.assertHeld();
        return byNodeLimit.earliest(byOwnLimit.earliest(latest));
    }

    private DeadlineList<Message> listOf(Message message) {
        return message.isTimedByDescriptor() ? byOwnLimit : byNodeLimit;
    }

    /**
     * Checks order and limits of all messages that are timed, and each message.
     *
     * @throws AssertionError if it is otherwise
     */
    void checkInvariants() {
        lock.assertHeld();
        byNodeLimit.checkInvariants(message -> check(message, false));
        byOwnLimit.checkInvariants(message -> check(message, true));
    }

    private static void check(Message message, boolean own) {
        Invariant.check(
                message.isTimed() && message.isTimedByDescriptor() == own,
                message,
                "to be in the list of the limit that it is timed by");
        message.checkInvariants();
    }
}
