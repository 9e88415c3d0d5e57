package org.railyard.lab.observe;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.nid.Nid;

/** One transaction of an application. Belongs to the thread of its run. */
public final class Call {
    /** Bits of an id in a header; the size has the rest. */
    private static final int SIZE_BITS = 21;

    private final long id;
    private final NodeRun life;
    private final CallKind kind;
    private final Nid target;
    private final int size;
    private final long start;
    private final MemorySegment memory;
    private @Nullable Md md;

    /** How many SEND events there were. */
    public int sends;

    /** Status of the last SEND event. */
    public int sendStatus;

    /** How many ACK and REPLY events there were. */
    public int answers;

    /** Status of the last ACK or REPLY event. */
    public int answerStatus;

    /** How many events said that the descriptor is unlinked. */
    public int unlinks;

    /** How many of its requests are with an LND of its node. */
    public int borrowers;

    /** Sequence number of the last event. */
    public long sequence;

    /**
     * Makes a call.
     *
     * @param id its number in the run, from 1
     * @param life who asks
     * @param kind what
     * @param target of whom
     * @param size bytes
     * @param start when, ns of virtual time
     * @param memory what is sent, or where the answer goes
     */
    public Call(long id, NodeRun life, CallKind kind, Nid target, int size, long start, MemorySegment memory) {
        this.id = id;
        this.life = life;
        this.kind = kind;
        this.target = target;
        this.size = size;
        this.start = start;
        this.memory = memory;
    }

    /** The descriptor is there. */
    public void bound(Md descriptor) {
        md = descriptor;
    }

    /** Returns its number. */
    public long id() {
        return id;
    }

    /** Returns who asks. */
    public NodeRun life() {
        return life;
    }

    /** Returns what is asked. */
    public CallKind kind() {
        return kind;
    }

    /** Returns of whom. */
    public Nid target() {
        return target;
    }

    /** Returns the length, bytes. */
    public int size() {
        return size;
    }

    /** Returns when it began, ns of virtual time. */
    public long start() {
        return start;
    }

    /**
     * Returns until when it must have its outcome, but for the granularity of the stack's monitor, ns of virtual time.
     * Once its request has left, only its answer is waited for.
     */
    public long deadline() {
        return start + (isAnswerAwaited() ? life.transactionNanos() : life.sendingNanos());
    }

    /** Tells whether its request has left, and its answer has not come. */
    public boolean isAnswerAwaited() {
        return kind.isAnswered() && sends > 0 && sendStatus == 0 && answers == 0;
    }

    /** Returns what is sent, or where the answer goes. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the descriptor, once there is one. */
    public @Nullable Md md() {
        return md;
    }

    /** Returns the 64 bits that a PUT carries for its target. */
    public long hdrData() {
        return id << SIZE_BITS | size;
    }

    /** Returns the number of the call that a PUT belongs to. */
    public static long idOf(long hdrData) {
        return hdrData >>> SIZE_BITS;
    }

    /** Returns the size that a PUT should have, bytes. */
    public static int sizeOf(long hdrData) {
        return (int) (hdrData & (1 << SIZE_BITS) - 1);
    }

    @Override
    public String toString() {
        return "call " + id + " (" + kind.text() + " of " + size + " bytes, " + life + " to " + target + ")";
    }
}
