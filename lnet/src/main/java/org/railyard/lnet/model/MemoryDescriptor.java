package org.railyard.lnet.model;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/**
 * A memory descriptor with its state (spec 10 §4): how often it may still be used, who uses it, which events wait for
 * its handler, whether a response is timed.
 */
public final class MemoryDescriptor implements Md, Timed<MemoryDescriptor> {
    /** What the stack does when a descriptor is unlinked from outside. */
    @FunctionalInterface
    public interface Unlinker {
        /** Unlinks a descriptor; throws LNetException ENOENT when it is gone. */
        void unlink(MemoryDescriptor md);
    }

    private final List<MemorySegment> memory;
    private final int length;
    private final int options;
    private final int maxSize;
    private final boolean autoUnlink;
    private final @Nullable EventHandler handler;
    private final @Nullable Object userPtr;
    private final long timeoutNanos;
    private final int cpt;
    private final Unlinker unlinker;
    private final boolean readOnly;

    /** Object cookie of its handle. */
    public long cookie;

    /** Its match entry, or null if it is free-floating. */
    public @Nullable MatchEntry entry;

    /** Whether its request only looks how things are, and so changes no health. */
    public boolean probe;

    /** Operations left, −1 for any number. */
    public int threshold;

    /** Running offset, bytes. */
    public int localOffset;

    /** Messages that refer to it. */
    public int refs;

    /** Whether its handle is dead; with {@link #refs} 0 it is gone. */
    public volatile boolean unlinked;

    /** Whether what becomes of its messages is of no interest any more: none is launched, the first time or again. */
    public boolean withdrawn;

    /** Whether it was unlinked while messages referred to it and what would be their success ends as a time-out. */
    public boolean aborted;

    /** The event that a thread hands to the handler, or is about to; null if there is none. */
    public @Nullable Message current;

    /** Events that wait behind {@link #current}, and behind those that the same thread has taken with it. */
    public final MessageQueue events = new MessageQueue();

    /** ACKs that may come. */
    public int awaitedAcks;

    /** REPLYs that may come. */
    public int awaitedReplies;

    /** When the request was made whose response may come, the last if there are several; monotonic ns. */
    public long called;

    /** When a response is overdue, monotonic ns; meaningful while {@link #tracked}. */
    public long responseDeadline;

    /** Whether a response is timed. */
    public boolean tracked;

    /** Type of the request whose response is timed. */
    public MessageType trackedType = MessageType.PUT;

    /** The NID that the request went to, as far as it went; the wildcard if it has not left, or stays in the node. */
    public Nid trackedNextHop = Nid.ANY;

    /** The NI that the request was last sent from, null before; and when that was chosen, monotonic ns. */
    public @Nullable LocalNi trackedNi;

    /** See {@link #trackedNi}. */
    public long trackedSince;

    private @Nullable MemoryDescriptor trackedBefore;
    private @Nullable MemoryDescriptor trackedAfter;
    private @Nullable Views freeViews;

    /**
     * Makes a descriptor; the configuration has been checked.
     *
     * @throws UnsupportedOperationException if there is heap memory that is not that of a byte array
     */
    public MemoryDescriptor(MdConfig config, Unlinker unlinker) {
        this.memory = config.memory();
        this.length = Math.toIntExact(config.bytes());
        int bits = 0;
        for (MdOption option : config.options()) {
            bits |= option.bit();
        }
        this.options = bits;
        this.maxSize = config.maxSize();
        this.autoUnlink = config.autoUnlink();
        this.handler = config.handler();
        this.userPtr = config.userPtr();
        this.timeoutNanos = config.timeoutNanos();
        this.cpt = config.cpt();
        this.threshold = config.threshold();
        this.unlinker = unlinker;
        this.readOnly = config.isReadOnly();
        this.freeViews = new Views(memory);
    }

    @Override
    public List<MemorySegment> memory() {
        return memory;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public @Nullable Object userPtr() {
        return userPtr;
    }

    @Override
    public boolean isUnlinked() {
        return unlinked;
    }

    @Override
    public void unlink() {
        unlinker.unlink(this);
    }

    @Override
    public long deadlineNanos() {
        return responseDeadline;
    }

    @Override
    public @Nullable MemoryDescriptor earlier() {
        return trackedBefore;
    }

    @Override
    public void setEarlier(@Nullable MemoryDescriptor other) {
        trackedBefore = other;
    }

    @Override
    public @Nullable MemoryDescriptor later() {
        return trackedAfter;
    }

    @Override
    public void setLater(@Nullable MemoryDescriptor other) {
        trackedAfter = other;
    }

    /** Returns the handler, or null. */
    public @Nullable EventHandler handler() {
        return handler;
    }

    /** Returns its own limit for a response, ns, 0 for the node's. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Returns the CPU partition that its memory is near to, −1 if unknown. */
    public int cpt() {
        return cpt;
    }

    /** Tells whether part of its memory can not be written. */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** Tells whether it has an option. */
    public boolean has(MdOption option) {
        return (options & option.bit()) != 0;
    }

    /** Tells whether no further operation can use it (spec 10 §4.1). */
    public boolean isExhausted() {
        return threshold == 0 || (has(MdOption.MAX_SIZE) && localOffset + (long) maxSize > length);
    }

    /** Tells whether it goes by itself when exhausted. */
    public boolean isAutoUnlink() {
        return autoUnlink;
    }

    /** Takes one operation. */
    public void use() {
        if (threshold > 0) {
            threshold--;
        }
    }

    /** Returns the most bytes that one operation may use at the given offset; 0 or less if there is no room. */
    public long room(long offset) {
        return has(MdOption.MAX_SIZE) ? Math.min(maxSize, length - offset) : length - offset;
    }

    /** Returns windows for one message; {@link #giveBack} ends their use. */
    public Views takeViews() {
        Views views = freeViews;
        if (views == null) {
            return new Views(memory);
        }
        freeViews = views.next;
        views.next = null;
        return views;
    }

    /** Takes windows back. */
    public void giveBack(Views views) {
        views.next = freeViews;
        freeViews = views;
    }

    /**
     * Checks its counts, and the events that wait for its handler.
     *
     * @throws AssertionError if they do not fit each other
     */
    public void checkInvariants() {
        Invariant.check(threshold >= -1, this, "a threshold from -1 on", threshold);
        Invariant.check(
                refs >= 0 && awaitedAcks >= 0 && awaitedReplies >= 0,
                this,
                "no negative number of messages",
                refs,
                awaitedAcks,
                awaitedReplies);
        Invariant.check(events.isEmpty() || current != null, this, "events to wait behind another only");
        Invariant.check(localOffset >= 0 && localOffset <= length, this, "an offset within its memory", localOffset);
        events.checkInvariants(Message.Waiting.NO);
    }

    @Override
    public String toString() {
        return "memory descriptor 0x" + Long.toHexString(cookie);
    }
}
