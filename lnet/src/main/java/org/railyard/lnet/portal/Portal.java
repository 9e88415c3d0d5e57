package org.railyard.lnet.portal;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.Invariant;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.model.MatchEntry;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageQueue;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * One portal: match entries and the PUTs that wait for one (spec 10 §4.2, 01 §4.2).
 *
 * <p>Entries with ignore bits are searched first, in order. The others are found by a hash of their match bits, in
 * order among equals: entries with different bits never compete for a message.
 */
public final class Portal {
    /** What a search found. */
    public enum Outcome {
        /** The message has been given to a descriptor. */
        MATCHED,
        /** No descriptor takes it. */
        NO_MATCH,
        /** A descriptor fits, but the message is too long for it. */
        TOO_LONG
    }

    /** Tells which NIDs name the same node. */
    @FunctionalInterface
    public interface Identity {
        /** Tells whether both NIDs are known to belong to one peer. */
        boolean isSamePeer(Nid one, Nid other);
    }

    private enum Kind {
        UNUSED,
        UNIQUE,
        WILDCARD
    }

    private static final int BUCKETS = 256;
    private static final EntryList[] NONE = {};

    private final int index;
    private final EntryList withIgnoreBits = new EntryList();

    /** The others by hash; none until the first comes, since most portals of a node never have any. */
    private EntryList[] exact = NONE;

    private final MessageQueue delayed = new MessageQueue();
    private Kind kind = Kind.UNUSED;
    private boolean lazy;

    Portal(int index) {
        this.index = index;
    }

    /**
     * Adds an entry.
     *
     * @throws ErrnoException EPERM if the first entry fixed the portal to the other kind, unique or wildcard
     */
    public void attach(MatchEntry entry) {
        MeConfig config = entry.config();
        Kind wanted = config.ignoreBits() == 0
                        && !config.initiator().nid().isAny()
                        && config.initiator().pid() != ProcessId.ANY_PID
                ? Kind.UNIQUE
                : Kind.WILDCARD;
        if (kind == Kind.UNUSED) {
            kind = wanted;
        } else if (kind != wanted) {
            throw new ErrnoException(
                    Errno.EPERM,
                    "portal " + index + " holds " + kind + " match entries, this one is " + wanted
                            + " (UNIQUE: exact NID and process id, no ignore bits)");
        }
        listOf(config).add(entry, config.front());
        entry.attached = true;
    }

    /** Removes an entry; no effect if it is not there. */
    public void detach(MatchEntry entry) {
        if (entry.attached) {
            listOf(entry.config()).remove(entry);
            entry.attached = false;
        }
    }

    private EntryList listOf(MeConfig config) {
        return config.ignoreBits() != 0 ? withIgnoreBits : bucket(config.matchBits());
    }

    private static int hash(long matchBits) {
        return (int) ((matchBits * 0x9E3779B97F4A7C15L) >>> 56);
    }

    private @Nullable MatchEntry firstWith(long matchBits) {
        EntryList list = exact.length == 0 ? null : exact[hash(matchBits)];
        return list == null ? null : list.first();
    }

    private EntryList bucket(long matchBits) {
        if (exact.length == 0) {
            exact = new EntryList[BUCKETS];
        }
        int hash = hash(matchBits);
        EntryList list = exact[hash];
        if (list == null) {
            list = new EntryList();
            exact[hash] = list;
        }
        return list;
    }

    /**
     * Looks for the descriptor that takes a PUT or GET and gives the message to it: sets the message's descriptor,
     * offset and length, advances the descriptor, and detaches its entry if that exhausted it.
     */
    public Outcome match(Message message, Identity identity) {
        Outcome outcome = search(withIgnoreBits.first(), message, identity);
        return outcome != Outcome.NO_MATCH
                ? outcome
                : search(firstWith(message.header().matchBits()), message, identity);
    }

    private Outcome search(@Nullable MatchEntry from, Message message, Identity identity) {
        for (MatchEntry entry = from; entry != null; entry = entry.after) {
            if (accepts(entry, message, identity)) {
                return take(entry, message);
            }
        }
        return Outcome.NO_MATCH;
    }

    private static boolean accepts(MatchEntry entry, Message message, Identity identity) {
        MemoryDescriptor md = entry.md();
        LNetHeader header = message.header();
        MeConfig config = entry.config();
        MdOption operation = header.type() == MessageType.PUT ? MdOption.OP_PUT : MdOption.OP_GET;
        if (md.isExhausted() || !md.has(operation)) {
            return false;
        }
        if (((header.matchBits() ^ config.matchBits()) & ~config.ignoreBits()) != 0) {
            return false;
        }
        if (!entry.isFor(header.destNid())) {
            return false;
        }
        ProcessId initiator = config.initiator();
        if (initiator.pid() != ProcessId.ANY_PID && initiator.pid() != header.srcPid()) {
            return false;
        }
        return initiator.nid().isAny()
                || initiator.nid().equals(message.initiator())
                || identity.isSamePeer(initiator.nid(), message.initiator());
    }

    private Outcome take(MatchEntry entry, Message message) {
        MemoryDescriptor md = entry.md();
        LNetHeader header = message.header();
        long wanted =
                Integer.toUnsignedLong(header.type() == MessageType.PUT ? header.payloadLength() : header.sinkLength());
        long offset = md.has(MdOption.MANAGE_REMOTE) ? Integer.toUnsignedLong(header.offset()) : md.localOffset;
        // A message carries no more than the MTU, however much a GET asks for.
        long room = Math.min(md.room(offset), Wire.MTU);
        long mlength = wanted;
        if (wanted > room) {
            if (room < 0 || !md.has(MdOption.TRUNCATE)) {
                return Outcome.TOO_LONG;
            }
            mlength = room;
        }
        md.localOffset = (int) (offset + mlength);
        md.use();
        md.refs++;
        message.setPayload(md, (int) offset, (int) mlength);
        if (md.isAutoUnlink() && md.isExhausted()) {
            detach(entry);
        }
        return Outcome.MATCHED;
    }

    /**
     * Tells whether a PUT that matches nothing waits instead of being dropped: on a lazy portal, or one that has never
     * been used.
     */
    public boolean parksUnmatched() {
        return lazy || kind == Kind.UNUSED;
    }

    /** Tells whether PUTs that match nothing wait for as long as it takes. */
    public boolean isLazy() {
        return lazy;
    }

    /** Makes the portal lazy or not; the caller drops what waits when it is no longer. */
    public void setLazy(boolean on) {
        lazy = on;
    }

    /** Returns the PUTs that wait, oldest first. */
    public MessageQueue delayed() {
        return delayed;
    }

    /**
     * Checks the PUTs that wait.
     *
     * @throws AssertionError if one of them has a descriptor, or is in the wrong queue
     */
    public void checkInvariants() {
        delayed.checkInvariants(Message.Waiting.NO);
        for (Message message = delayed.peek(); message != null; message = delayed.following(message)) {
            Invariant.check(
                    message.role() == Role.RECEIVED && message.md() == null,
                    message,
                    "a PUT without a descriptor on portal " + index);
        }
    }
}
