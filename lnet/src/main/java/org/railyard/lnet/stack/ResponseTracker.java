package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/**
 * Descriptors that wait for an ACK or REPLY, by deadline (spec 10 §16). Those with the node's own limit form a queue,
 * since their deadlines grow in the order of arrival; those with a limit of their own are few and kept sorted.
 */
final class ResponseTracker {
    private final StateLock lock;
    private final DeadlineList<MemoryDescriptor> byNodeLimit = new DeadlineList<>();
    private final DeadlineList<MemoryDescriptor> byOwnLimit = new DeadlineList<>();
    private int size;

    ResponseTracker(StateLock lock) {
        this.lock = lock;
    }

    /** Starts to time a response; one that is timed already gets the new deadline. */
    void track(MemoryDescriptor md, MessageType type, long deadline) {
        lock.assertHeld();
        if (md.tracked) {
            untrack(md);
        } else {
            // Where the last request went, which has its response, is not to blame for this one.
            md.trackedNextHop = Nid.ANY;
            md.trackedNi = null;
        }
        md.tracked = true;
        md.trackedType = type;
        md.responseDeadline = deadline;
        listOf(md).insert(md);
        size++;
    }

    /** Ends the timing of a response; no effect if none is timed. */
    void untrack(MemoryDescriptor md) {
        lock.assertHeld();
        if (md.tracked) {
            md.tracked = false;
            listOf(md).remove(md);
            size--;
        }
    }

    /** Returns how many are timed. */
    int size() {
        lock.assertHeld();
        return size;
    }

    /** Returns the descriptor whose response is overdue longest, still timed, or null if none is overdue. */
    @Nullable
    MemoryDescriptor overdue(long now) {
        lock.assertHeld();
        MemoryDescriptor own = byOwnLimit.overdue(now);
        return own != null ? own : byNodeLimit.overdue(now);
    }

    /** Returns the earliest of {@code latest} and the deadlines. */
    long nextDeadline(long latest) {
        lock.assertHeld();
        return byNodeLimit.earliest(byOwnLimit.earliest(latest));
    }

    private DeadlineList<MemoryDescriptor> listOf(MemoryDescriptor md) {
        return md.timeoutNanos() > 0 ? byOwnLimit : byNodeLimit;
    }

    /**
     * Checks order and number of the descriptors that wait for a response.
     *
     * @throws AssertionError if it is otherwise
     */
    void checkInvariants() {
        lock.assertHeld();
        int count = byNodeLimit.checkInvariants(ResponseTracker::check)
                + byOwnLimit.checkInvariants(ResponseTracker::check);
        Invariant.check(count == size, "timed responses", "their number to be theirs", size, count);
    }

    private static void check(MemoryDescriptor md) {
        Invariant.check(md.tracked && !md.unlinked, "timed responses", "descriptors that wait for one");
        md.checkInvariants();
    }
}
