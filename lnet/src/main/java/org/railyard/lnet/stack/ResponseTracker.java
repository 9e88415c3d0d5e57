package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.wire.MessageType;

/**
 * Descriptors that wait for an ACK or REPLY, by deadline (spec 10 §16). Those with the node's own limit form a queue, since their deadlines grow
 * in the order of arrival; those with a limit of their own are few and kept sorted.
 */
final class ResponseTracker {
    /** A doubly linked list, earliest deadline first. */
    private static final class DeadlineList {
        @Nullable
        MemoryDescriptor first;

        @Nullable
        MemoryDescriptor last;

        void insert(MemoryDescriptor md) {
            MemoryDescriptor before = last;
            while (before != null && before.responseDeadline - md.responseDeadline > 0) {
                before = before.trackedBefore;
            }
            MemoryDescriptor after = before == null ? first : before.trackedAfter;
            md.trackedBefore = before;
            md.trackedAfter = after;
            if (before == null) {
                first = md;
            } else {
                before.trackedAfter = md;
            }
            if (after == null) {
                last = md;
            } else {
                after.trackedBefore = md;
            }
        }

        void remove(MemoryDescriptor md) {
            if (md.trackedBefore == null) {
                first = md.trackedAfter;
            } else {
                md.trackedBefore.trackedAfter = md.trackedAfter;
            }
            if (md.trackedAfter == null) {
                last = md.trackedBefore;
            } else {
                md.trackedAfter.trackedBefore = md.trackedBefore;
            }
            md.trackedBefore = null;
            md.trackedAfter = null;
        }
    }

    private final DeadlineList byNodeLimit = new DeadlineList();
    private final DeadlineList byOwnLimit = new DeadlineList();
    private int size;

    /** Starts to time a response; one that is timed already gets the new deadline. */
    void track(MemoryDescriptor md, MessageType type, long deadline) {
        untrack(md);
        md.tracked = true;
        md.trackedType = type;
        md.responseDeadline = deadline;
        listOf(md).insert(md);
        size++;
    }

    /** Ends the timing of a response; no effect if none is timed. */
    void untrack(MemoryDescriptor md) {
        if (md.tracked) {
            md.tracked = false;
            listOf(md).remove(md);
            size--;
        }
    }

    /** Returns how many are timed. */
    int size() {
        return size;
    }

    /** Returns the descriptor whose response is overdue longest, still timed, or null if none is overdue. */
    @Nullable
    MemoryDescriptor overdue(long now) {
        if (byOwnLimit.first != null && byOwnLimit.first.responseDeadline - now <= 0) {
            return byOwnLimit.first;
        }
        return byNodeLimit.first != null && byNodeLimit.first.responseDeadline - now <= 0 ? byNodeLimit.first : null;
    }

    /** Returns the earliest of {@code latest} and the deadlines. */
    long nextDeadline(long latest) {
        long next = latest;
        if (byOwnLimit.first != null && byOwnLimit.first.responseDeadline - next < 0) {
            next = byOwnLimit.first.responseDeadline;
        }
        if (byNodeLimit.first != null && byNodeLimit.first.responseDeadline - next < 0) {
            next = byNodeLimit.first.responseDeadline;
        }
        return next;
    }

    private DeadlineList listOf(MemoryDescriptor md) {
        return md.timeoutNanos() > 0 ? byOwnLimit : byNodeLimit;
    }
}
