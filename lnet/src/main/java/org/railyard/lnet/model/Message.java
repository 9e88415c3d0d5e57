package org.railyard.lnet.model;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * A message on its way through the stack (spec 10 §6), with its event. It is used again and again; whoever holds it
 * (stack, queue, transport, handler) is its only user at that time.
 *
 * <p>What it is: {@link #role}. Which way it goes: {@link #path}. Which credits it has: {@link #credits}. What a router
 * does with it: {@link #transit}. What it waits for:
 *
 * <pre>
 * from            to              when
 * NO              FOR_DISCOVERY   its peer is to be discovered first
 * NO              FOR_GATEWAY     a gateway on its way is to be discovered first
 * NO              FOR_CREDIT      its peer NI or NI has no credit
 * NO              FOR_RESEND      it failed and goes again, or its NI failed and it needs another
 * any             NO              it goes on, or ends: it is in no queue
 * </pre>
 */
public final class Message implements LndMessage, Timed<Message> {
    private static final ByteBuffer[] NO_FRAGMENTS = new ByteBuffer[0];

    /** What a message waits for that can be taken out of its queue at any time. */
    public enum Waiting {
        /** Nothing: it is new, in a transport or on its way there, or done with. */
        NO,
        /** The discovery of its peer. */
        FOR_DISCOVERY,
        /** The discovery of a gateway on its way. */
        FOR_GATEWAY,
        /** A credit of its peer NI or NI. */
        FOR_CREDIT,
        /** To be sent again. */
        FOR_RESEND
    }

    /** Which limit its time has, while it is timed. */
    private enum Limit {
        NONE,
        OF_NODE,
        OF_DESCRIPTOR
    }

    /** Links of the one queue that it is in. */
    @Nullable
    Message next;

    @Nullable
    Message previous;

    @Nullable
    MessageQueue queue;

    private @Nullable Message earlier;
    private @Nullable Message later;

    private final LNetHeader header = new LNetHeader();
    private final MessagePath path = new MessagePath();
    private final MessageCredits credits = new MessageCredits();

    /** Null as long as it was never passed on: most never are, and it is one thing less to look at for each of them. */
    private @Nullable MessageTransit transit;

    private EventData event = new EventData();

    private Role role = Role.NONE;
    private Waiting waiting = Waiting.NO;
    private boolean abandoned;
    private boolean injected;

    private @Nullable MemoryDescriptor md;
    private @Nullable Views views;
    private @Nullable MemorySegment own;
    private int mdOffset;
    private int length;
    private int accepted;

    private Nid initiator = Nid.ANY;
    private Nid sender = Nid.ANY;

    /** In whose share it waits for its match; without meaning if it does not. */
    private Nid share = Nid.ANY;

    /** Who counts it as brought, null if nobody does. */
    private @Nullable PeerNi bringer;

    private Limit limit = Limit.NONE;
    private long deadline;
    private long resendTime;
    private long timeout;

    private int status;
    private HealthStatus health = HealthStatus.OK;

    /** Makes an unused message. */
    public Message() {}

    /** Makes it as good as new, but for its header and its event; whoever timed it has ended that. */
    public void clear() {
        become(Role.NONE);
        next = null;
        path.clear();
        credits.clear();
        if (transit != null) {
            transit.clear();
        }
        waiting = Waiting.NO;
        abandoned = false;
        injected = false;
        md = null;
        views = null;
        own = null;
        mdOffset = 0;
        length = 0;
        accepted = 0;
        initiator = Nid.ANY;
        sender = Nid.ANY;
        share = Nid.ANY;
        if (bringer != null) {
            bringer.brought--;
            bringer = null;
        }
        deadline = 0;
        timeout = 0;
        status = 0;
        health = HealthStatus.OK;
    }

    /** Returns what this node does with it. */
    public Role role() {
        return role;
    }

    /**
     * Gives it another role.
     *
     * @throws IllegalStateException if the table of {@link Role} has no such step
     */
    public void become(Role next) {
        if (!role.mayBecome(next)) {
            throw new IllegalStateException("a message that is " + role + " can not become " + next);
        }
        role = next;
    }

    /** Tells whether it is being sent, as opposed to received. */
    public boolean isSending() {
        return role.isSending();
    }

    /** Tells whether it is an ACK or a REPLY of ours. */
    public boolean isResponse() {
        return role.isResponse();
    }

    /**
     * Tells whether it is a request that has its response, which can overtake the end of its sending: no response is
     * outstanding, so this one's is not.
     */
    public boolean isAnswered() {
        MemoryDescriptor about = md;
        if (about == null || isResponse()) {
            return false;
        }
        return header.type() == MessageType.GET
                ? about.awaitedReplies == 0
                : header.wantsAck() && about.awaitedAcks == 0;
    }

    /** Tells whether this node is a router that passes it on. */
    public boolean isForwarding() {
        return role.isForwarding();
    }

    /** Returns which way it goes. */
    public MessagePath path() {
        return path;
    }

    /** Returns the NI that it is sent from or was received on, null as long as there is none. */
    public @Nullable LocalNi ni() {
        return path.ni();
    }

    /** Returns the peer NI of the next hop that it is sent to, or that it was received from; null for loopback. */
    public @Nullable PeerNi peerNi() {
        return path.peerNi();
    }

    /** Returns which credits it has. */
    public MessageCredits credits() {
        return credits;
    }

    /** Returns what a router knows of it. */
    public MessageTransit transit() {
        MessageTransit made = transit;
        if (made == null) {
            made = new MessageTransit();
            transit = made;
        }
        return made;
    }

    private @Nullable RouterBuffer buffer() {
        return transit == null ? null : transit.buffer();
    }

    /** Returns its event. */
    public EventData event() {
        return event;
    }

    /** Has another message bring the event of this one. */
    public void giveEventTo(Message other) {
        EventData unused = other.event;
        other.event = event;
        event = unused;
    }

    /** Returns what it waits for. */
    public Waiting waiting() {
        return waiting;
    }

    /**
     * It waits from now on, or not any more.
     *
     * @throws IllegalStateException if it waits for something else, or goes on while it is in a queue
     */
    public void waitFor(Waiting what) {
        if (what == Waiting.NO ? queue != null : waiting != Waiting.NO) {
            throw new IllegalStateException("a message that waits " + waiting + " can not wait " + what);
        }
        waiting = what;
    }

    /** Takes it out of the queue that it is in, if any. */
    public void leaveQueue() {
        if (queue != null) {
            queue.remove(this);
        }
    }

    /** Returns the next message of a free list. */
    public @Nullable Message nextFree() {
        return next;
    }

    /** Links this message into a free list. */
    public void setNextFree(@Nullable Message free) {
        next = free;
    }

    /** Its owner has been told of its end while a transport still has it: when it comes back, nobody cares. */
    public void abandon() {
        abandoned = true;
    }

    /** Tells whether its owner has been told of its end while a transport still has it. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** Says whether a fault rule makes this attempt fail: the rule says whose failure that is. */
    public void setInjected(boolean byRule) {
        injected = byRule;
    }

    /** Tells whether a fault rule made the present attempt fail. */
    public boolean isInjected() {
        return injected;
    }

    /** Returns the memory descriptor that it refers to, null if none. */
    public @Nullable MemoryDescriptor md() {
        return md;
    }

    /** Says which memory descriptor it refers to, null for none. */
    public void setMd(@Nullable MemoryDescriptor descriptor) {
        md = descriptor;
    }

    /**
     * Says which memory it is about.
     *
     * @param offset of the payload in the descriptor, bytes
     * @param bytes of payload
     */
    public void setPayload(MemoryDescriptor descriptor, int offset, int bytes) {
        md = descriptor;
        mdOffset = offset;
        length = bytes;
    }

    /** Returns where the payload is in the descriptor, bytes. */
    public int mdOffset() {
        return mdOffset;
    }

    /** Returns the bytes of payload to send, or to store. */
    public int length() {
        return length;
    }

    /** Says how many bytes of payload there are to send, or to store. */
    public void setLength(int bytes) {
        length = bytes;
    }

    /** Its descriptor accepts the payload of a PUT, for event and ACK, whether it is then stored or thrown away. */
    public void accept() {
        accepted = length;
    }

    /** Returns the bytes of a PUT that its descriptor accepted; {@link #length} is less if they are thrown away. */
    public int accepted() {
        return accepted;
    }

    /** Returns, for received messages, the primary NID of the sender. */
    public Nid initiator() {
        return initiator;
    }

    /** Says, for received messages, which the primary NID of the sender is. */
    public void setInitiator(Nid primary) {
        initiator = primary;
    }

    /**
     * Returns the NID of the last hop of a received message, and of one that is passed on. For responses: that of the
     * request, which is where they go back to.
     */
    public Nid sender() {
        return sender;
    }

    /** Says where it came from: the NID of the last hop. */
    public void setSender(Nid hop) {
        sender = hop;
    }

    /** Returns in whose share it waits for its match. */
    public Nid share() {
        return share;
    }

    /** Says in whose share it waits for its match. */
    public void setShare(Nid whose) {
        share = whose;
    }

    /** A peer NI brought it, and counts it until it is through with. */
    public void broughtBy(PeerNi hop) {
        bringer = hop;
        hop.brought++;
    }

    /** Times it from now on; whoever calls puts it into a list by deadline. */
    public void beginTiming(long until, boolean byDescriptor) {
        deadline = until;
        limit = byDescriptor ? Limit.OF_DESCRIPTOR : Limit.OF_NODE;
    }

    /** Times it no more. */
    public void endTiming() {
        limit = Limit.NONE;
    }

    /** Tells whether it is timed, from the first attempt to send it to its end. */
    public boolean isTimed() {
        return limit != Limit.NONE;
    }

    /** Tells whether it is timed by its descriptor's limit instead of the node's. */
    public boolean isTimedByDescriptor() {
        return limit == Limit.OF_DESCRIPTOR;
    }

    /** Says when it must be done without timing it; monotonic ns. */
    public void setDeadline(long until) {
        deadline = until;
    }

    @Override
    public long deadlineNanos() {
        return deadline;
    }

    /** Returns when it is to be sent again at the earliest, monotonic ns. */
    public long resendTime() {
        return resendTime;
    }

    /** Says when it is to be sent again at the earliest, monotonic ns. */
    public void setResendTime(long earliest) {
        resendTime = earliest;
    }

    /** Sets the limit that the transport is handed, ns. */
    public void setTimeout(long nanos) {
        timeout = nanos;
    }

    /**
     * Says how it ended.
     *
     * @param result 0 or a negative errno
     * @param verdict the same, for health
     */
    public void setOutcome(int result, HealthStatus verdict) {
        status = result;
        health = verdict;
    }

    /** Says how it ended for its owner: 0 or a negative errno. */
    public void setStatus(int result) {
        status = result;
    }

    /** Returns how it ended: 0 or a negative errno. */
    public int status() {
        return status;
    }

    /** Returns how it ended, for health. */
    public HealthStatus health() {
        return health;
    }

    @Override
    public @Nullable Message earlier() {
        return earlier;
    }

    @Override
    public void setEarlier(@Nullable Message other) {
        earlier = other;
    }

    @Override
    public @Nullable Message later() {
        return later;
    }

    @Override
    public void setLater(@Nullable Message other) {
        later = other;
    }

    /** Opens windows onto {@link #length} bytes of its descriptor from {@link #mdOffset}. */
    public void openViews() {
        if (length > 0 && md != null) {
            Views windows = md.takeViews();
            windows.select(mdOffset, length);
            views = windows;
        }
    }

    /**
     * Opens windows onto {@link #length} bytes of its router buffer. For the one that has the message; needs no lock.
     *
     * @throws OutOfMemoryError if the buffer is used for the first time and there is no memory for it
     */
    public void openBuffer() {
        RouterBuffer buffer = buffer();
        if (length > 0 && buffer != null) {
            views = buffer.views();
            rewindViews();
        }
    }

    /** Takes the windows back to where they were before a transport moved their positions. */
    public void rewindViews() {
        if (views != null) {
            views.select(mdOffset, length);
        }
    }

    /** Points it at memory of its own, for as long as it has no descriptor. */
    public void selectOwn(MemorySegment memory) {
        own = memory;
        length = (int) memory.byteSize();
        Views windows = new Views(List.of(memory));
        windows.select(0, length);
        views = windows;
    }

    /** Takes the memory of its own away, and returns it; empty if there is none. */
    public MemorySegment takeOwn() {
        MemorySegment memory = own == null ? MemorySegment.NULL : own;
        own = null;
        views = null;
        return memory;
    }

    /** Gives windows onto the memory of its descriptor back. */
    public void releaseViews() {
        if (views != null && md != null && own == null) {
            md.giveBack(views);
        }
        views = null;
    }

    @Override
    public LNetHeader header() {
        return header;
    }

    @Override
    public Nid nextHop() {
        PeerNi hop = path.peerNi();
        return hop == null ? header.destNid() : hop.nid();
    }

    @Override
    public int nextHopPid() {
        // Whatever it is for: the router that it goes to first is a node.
        return nextHop().equals(header.destNid()) ? header.destPid() : ProcessId.LUSTRE_PID;
    }

    @Override
    public int payloadLength() {
        return length;
    }

    @Override
    public ByteBuffer[] fragments() {
        return views == null ? NO_FRAGMENTS : views.buffers();
    }

    @Override
    public int fragmentCount() {
        return views == null ? 0 : views.count();
    }

    @Override
    public long timeoutNanos() {
        return timeout;
    }

    @Override
    public String toString() {
        return role + " " + header.type() + " to " + path.requestedTarget() + " that waits " + waiting
                + ", with credits " + credits;
    }

    /**
     * Checks that role, state, credits, memory and time limit fit each other. Allocates nothing.
     *
     * @return true, so that an {@code assert} can call it
     * @throws AssertionError if they do not
     */
    public boolean checkInvariants() {
        Invariant.check(role != Role.NONE, this, "a role while it is in use");
        credits.checkInvariants(this);
        Invariant.check(
                waiting == Waiting.NO || (isSending() && queue != null),
                this,
                "to be sent, and in a queue, if it waits");
        Invariant.check(
                waiting == Waiting.NO || waiting == Waiting.FOR_CREDIT || path.ni() == null,
                this,
                "no path while it waits for anything but credits");
        Invariant.check(!isTimed() || (isSending() && !isForwarding()), this, "to be timed only while it is sent");
        Invariant.check(!abandoned || (isSending() && !isTimed()), this, "to be abandoned only after its time");
        Invariant.check(
                buffer() == null || credits.router() == MessageCredits.Hold.HELD,
                this,
                "a router buffer only with a router credit");
        Invariant.check(!isForwarding() || md == null, this, "no descriptor for what is passed on");
        Invariant.check(own == null || md == null, this, "memory of its own only without a descriptor");
        MemoryDescriptor about = md;
        Invariant.check(
                about == null || (mdOffset >= 0 && length >= 0 && mdOffset + length <= about.length()),
                this,
                "a payload within its descriptor");
        return true;
    }

    /**
     * Checks that it is as good as new, in the pool.
     *
     * @throws AssertionError if it is not
     */
    public void checkUnused() {
        Invariant.check(
                role == Role.NONE && waiting == Waiting.NO && queue == null && !isTimed(),
                this,
                "no role, queue or time limit in the pool");
        Invariant.check(
                md == null
                        && views == null
                        && own == null
                        && bringer == null
                        && path.ni() == null
                        && path.peerNi() == null,
                this,
                "nothing of its past to be kept alive in the pool");
        Invariant.check(
                credits.peer() == MessageCredits.Hold.NONE
                        && credits.ni() == MessageCredits.Hold.NONE
                        && credits.router() == MessageCredits.Hold.NONE
                        && buffer() == null,
                this,
                "no credit and no buffer in the pool");
    }
}
