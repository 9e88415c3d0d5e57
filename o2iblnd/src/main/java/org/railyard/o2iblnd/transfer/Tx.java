package org.railyard.o2iblnd.transfer;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;

/**
 * One transmit: a message of the transport that is to be sent, and what follows from it until nothing is outstanding
 * (spec 20 §13.3).
 */
public final class Tx {
    private @Nullable LndMessage message;
    private boolean toReceive;
    private long limitNanos;
    private KibType type = KibType.NOOP;
    private long cookie;
    private long peerCookie;
    private int completionStatus;
    private @Nullable LndMessage reply;
    private final RdmaDescriptor sink = new RdmaDescriptor();
    private boolean hasSink;
    private @Nullable MemoryTransfer memory;
    private boolean queued;
    private boolean waiting;
    private boolean wantsChunk;
    private int sending;
    private boolean recalled;
    private long deadline;
    private long latest = Long.MAX_VALUE;
    private int status;
    private HealthStatus health = HealthStatus.OK;
    private boolean used;
    private boolean listed;
    private boolean greets;
    private @Nullable Tx packed;
    private @Nullable Tx previous;
    private @Nullable Tx next;

    /** Makes one that is not used. */
    Tx() {}

    /** Is used from now on, by {@link TxPool}. */
    void begin(KibType first, @Nullable LndMessage whose, boolean receiving, long limit) {
        used = true;
        type = first;
        message = whose;
        toReceive = receiving;
        limitNanos = limit;
    }

    /** Is not used any more; drops all references. */
    void end() {
        if (!used || listed || memory != null) {
            throw new IllegalStateException(this + " is over twice, or not yet");
        }
        used = false;
        message = null;
        reply = null;
        cookie = 0;
        peerCookie = 0;
        completionStatus = 0;
        hasSink = false;
        queued = false;
        waiting = false;
        wantsChunk = false;
        sending = 0;
        recalled = false;
        greets = false;
        packed = null;
        deadline = 0;
        latest = Long.MAX_VALUE;
        status = 0;
        health = HealthStatus.OK;
    }

    /** Tells whether it is in a {@link TxList}. */
    boolean isListed() {
        return listed;
    }

    void setListed(boolean value) {
        listed = value;
    }

    /** Returns its neighbour in a list. */
    @Nullable
    Tx previous() {
        return previous;
    }

    void setPrevious(@Nullable Tx value) {
        previous = value;
    }

    /** Returns its other neighbour in a list, or in a pool. */
    @Nullable
    public Tx next() {
        return next;
    }

    void setNext(@Nullable Tx value) {
        next = value;
    }

    /** Returns the type of the message. */
    public KibType type() {
        return type;
    }

    /** Makes it a GET_REQ, with what the peer is to write its answer to. */
    public void expect(LndMessage answer) {
        type = KibType.GET_REQ;
        reply = answer;
    }

    /** Returns what a GET_REQ gets its answer in; null for all others. */
    @Nullable
    public LndMessage reply() {
        return reply;
    }

    /** Makes it the next message of its transaction. */
    public void become(KibType next) {
        type = next;
        latest = Long.MAX_VALUE;
    }

    /** Tells whether the peer has certainly not seen anything of it. */
    public boolean isUnseen() {
        return message != null
                && type.takesCredit()
                && sending == 0
                && !waiting
                && !wantsChunk
                && health == HealthStatus.OK;
    }

    /** Returns the message of the stack, null for one of our own. */
    @Nullable
    public LndMessage message() {
        return message;
    }

    /** Tells whether the peer writes, into the message or the one that answers it. */
    boolean isSink() {
        return toReceive || reply != null;
    }

    /** Returns how long it may take in all, ns. */
    public long limitNanos() {
        return limitNanos;
    }

    /** Returns our number of the transfer. */
    public long cookie() {
        return cookie;
    }

    /** Sets our number of the transfer. */
    public void setCookie(long value) {
        cookie = value;
    }

    /** Returns the cookie that the peer knows its own transmit by. */
    public long peerCookie() {
        return peerCookie;
    }

    /** Sets the peer's number of the transfer. */
    public void setPeerCookie(long value) {
        peerCookie = value;
    }

    /** Returns what PUT_NAK, PUT_DONE and GET_DONE say. */
    public int completionStatus() {
        return completionStatus;
    }

    /** Sets the status that a DONE message carries. */
    public void setCompletionStatus(int value) {
        completionStatus = value;
    }

    /** Returns where the peer wants bytes to be written; null if it did not say. */
    @Nullable
    public RdmaDescriptor sink() {
        return hasSink ? sink : null;
    }

    /** Notes where the peer wants bytes to be written. */
    public void setSink(RdmaDescriptor value) {
        sink.copyFrom(value);
        hasSink = true;
    }

    /** Notes where the peer is to write. */
    public void setSink(MemoryTransfer place, int bytes) {
        place.describe(sink, bytes, true);
        hasSink = true;
    }

    /** Returns the memory of its transfer; null as long as there is none. */
    @Nullable
    public MemoryTransfer memory() {
        return memory;
    }

    /** Sets the memory that it moves, null for none. */
    public void setMemory(@Nullable MemoryTransfer value) {
        memory = value;
    }

    /** Returns the next one that is in the same message behind it; null if there is none. */
    @Nullable
    public Tx packed() {
        return packed;
    }

    /** Sets the next one that is in the same message, null for none. */
    public void setPacked(@Nullable Tx value) {
        packed = value;
    }

    /** Tells whether it is a NOOP that says what this node knows: it is sent in any case. */
    public boolean greets() {
        return greets;
    }

    /** Makes it a NOOP that says what this node knows. */
    public void setGreets() {
        greets = true;
    }

    /** Returns whether it is in a queue. */
    public boolean isQueued() {
        return queued;
    }

    /** Notes whether it is in a queue. */
    public void setQueued(boolean value) {
        queued = value;
    }

    /** Tells whether an answer of the peer is expected. */
    public boolean isWaiting() {
        return waiting;
    }

    /** Notes whether it waits for an answer of the peer. */
    public void setWaiting(boolean value) {
        waiting = value;
    }

    /**
     * Tells whether the peer has answered, so that it only waits for the card to say that its message has left: how its
     * transaction ends is known, whatever the card says.
     */
    public boolean isAnswered() {
        return type.awaitsAnswer() && sending > 0 && !queued && !waiting && !wantsChunk;
    }

    /** Tells whether it waits for memory. */
    public boolean wantsChunk() {
        return wantsChunk;
    }

    /** Notes whether it waits for memory to be sent from. */
    public void setWantsChunk(boolean value) {
        wantsChunk = value;
    }

    /** Returns how many of its messages are posted and not complete. */
    public int sending() {
        return sending;
    }

    /** Counts a work request that was posted. */
    public void posted() {
        sending++;
    }

    /** Counts a work request that completed. */
    public void sent() {
        sending--;
    }

    /** The card could not send its message: it is as if it had not been posted. */
    public void recall() {
        sending--;
        waiting = false;
        queued = true;
        recalled = true;
    }

    /** Tells whether it was posted once, and {@linkplain #recall recalled}: the card may have registered its memory. */
    public boolean isRecalled() {
        return recalled;
    }

    /** Returns when it has to be done, ns of monotonic time. */
    public long deadline() {
        return deadline;
    }

    /** Sets when it is late; not later than what {@link #beginAgain} kept. */
    public void setDeadline(long nanos) {
        deadline = Math.min(nanos, latest);
    }

    /** Its next message begins, which has all of the limit, whatever {@link #beginAgain} kept of the one before. */
    public void beginNext(long now) {
        latest = Long.MAX_VALUE;
        deadline = now + limitNanos;
    }

    /**
     * Leaves the connection that it was on for another one. Its next deadlines are not later than the present one,
     * until it becomes another message.
     */
    public void beginAgain() {
        latest = deadline;
        queued = false;
        recalled = false;
    }

    /** Returns how it ended: 0 or a negative errno. */
    public int status() {
        return status;
    }

    /** Returns what its end says of health. */
    public HealthStatus health() {
        return health;
    }

    /** Notes a failure; the first one counts, whatever else fails because of it. */
    public void fail(int failure, HealthStatus why) {
        if (health == HealthStatus.OK) {
            status = failure;
            health = why;
        }
    }

    /** Returns whether nothing refers to it any more: no queue, no work request, no answer. */
    public boolean isIdle() {
        return !queued && !waiting && !wantsChunk && sending == 0;
    }

    @Override
    public String toString() {
        return type + " " + cookie + (queued ? " queued" : "") + (waiting ? " waiting" : "") + " sending " + sending;
    }
}
