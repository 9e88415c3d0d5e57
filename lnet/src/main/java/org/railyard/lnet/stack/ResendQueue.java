package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageQueue;

/**
 * Messages that the monitor is to find another way for: those that failed and may be sent again, and those whose NI
 * failed while they waited for it (spec 10 §12.2). Not longer than there are messages in use. Guarded by the stack's
 * lock.
 */
final class ResendQueue {
    private final Node node;
    private final MessageQueue ready = new MessageQueue();
    private final MessageQueue paced = new MessageQueue();

    ResendQueue(Node node) {
        this.node = node;
    }

    /** Adds a message that failed; it goes at once unless resends are paced. */
    void addFailed(Message message) {
        node.lock.assertHeld();
        long pause = node.settings.get(Tunable.RESEND_INTERVAL) * 1_000_000L;
        message.setResendTime(node.now() + pause);
        message.waitFor(Message.Waiting.FOR_RESEND);
        (pause > 0 ? paced : ready).add(message);
        node.wakeMonitor();
    }

    /** Adds a message that never left: it goes at once, and this is no resend. */
    void addMoved(Message message) {
        node.lock.assertHeld();
        message.waitFor(Message.Waiting.FOR_RESEND);
        ready.add(message);
        node.wakeMonitor();
    }

    /** Removes and returns a message that is to go now, or null if there is none. */
    @Nullable
    Message poll(long now) {
        node.lock.assertHeld();
        Message message = ready.poll();
        if (message == null) {
            Message first = paced.peek();
            message = first != null && first.resendTime() - now <= 0 ? paced.poll() : null;
        }
        if (message != null) {
            message.waitFor(Message.Waiting.NO);
        }
        return message;
    }

    /** Removes and returns any message, or null if there is none. */
    @Nullable
    Message pollAny() {
        node.lock.assertHeld();
        Message message = ready.isEmpty() ? paced.poll() : ready.poll();
        if (message != null) {
            message.waitFor(Message.Waiting.NO);
        }
        return message;
    }

    /** Returns the earliest of {@code latest} and the time when a message is to go. */
    long nextTime(long latest) {
        node.lock.assertHeld();
        Message first = paced.peek();
        return first != null && first.resendTime() - latest < 0 ? first.resendTime() : latest;
    }

    /**
     * Checks the messages that wait.
     *
     * @throws AssertionError if one of them is not as it should be
     */
    void checkInvariants() {
        node.lock.assertHeld();
        ready.checkInvariants(Message.Waiting.FOR_RESEND);
        paced.checkInvariants(Message.Waiting.FOR_RESEND);
    }
}
