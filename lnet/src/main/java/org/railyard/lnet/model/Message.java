package org.railyard.lnet.model;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A message on its way through the stack (spec 10 §6), with its event. A plain record of state that is used again and
 * again; whoever holds it (stack, queue, transport, handler) is its only user at that time.
 */
public final class Message implements LndMessage, Timed<Message> {
    private static final ByteBuffer[] NO_FRAGMENTS = new ByteBuffer[0];

    /** What is done with a message when its event has been delivered. */
    public enum After {
        /** Back to the pool. */
        RELEASE,
        /** It becomes the ACK of the PUT that it was. */
        SEND_ACK
    }

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

    /** Links of the one queue that it is in. */
    @Nullable
    Message next;

    @Nullable
    Message previous;

    @Nullable
    MessageQueue queue;

    private @Nullable Message activeBefore;
    private @Nullable Message activeAfter;

    private final LNetHeader header = new LNetHeader();
    private final UsedPaths used = new UsedPaths();

    /** Its event. */
    public EventData event = new EventData();

    /** What is done when the event has been delivered. */
    public After after = After.RELEASE;

    /** The memory descriptor that it refers to, null if none. */
    public @Nullable MemoryDescriptor md;

    /** Windows onto the payload, null if there is none. */
    public @Nullable Views views;

    /** Whether the windows belong to {@link #md} and go back to it. */
    public boolean viewsOfMd;

    /** Where the payload is in the MD, bytes. */
    public int mdOffset;

    /** Bytes of payload to send, or to store. */
    public int length;

    /** Bytes of a PUT that its MD accepted, for event and ACK; {@link #length} is less if they are thrown away. */
    public int accepted;

    /** Whether it is being sent, as opposed to received. */
    public boolean sending;

    /** Whether it is an ACK or a REPLY of ours. */
    public boolean response;

    /**
     * Whether it is a REPLY that no header travels for, since the GET says where to write: at the target it is sent, at
     * the node that asked it is received, in either case without credits, deadline and health of its own (spec 10 §6).
     */
    public boolean placed;

    /** Whether the destination is to be taken literally, not as a name of its peer. */
    public boolean exactTarget;

    /**
     * Whether this node is a router that passes it on: its header keeps source, process ids and, but for the last hop
     * to a multi-rail peer, destination (spec 11 §6.9).
     */
    public boolean forwarding;

    /** Whether it is a recovery ping: to its very target, never sent again (spec 10 §13). */
    public boolean recovery;

    /** How often it has been sent again; 0 at the first attempt. */
    public int retries;

    /** How often it has waited for the discovery of a gateway. */
    public int gatewaysAwaited;

    /** Whether it has waited for discovery: it goes with whatever is known of the peer now. */
    public boolean discoveryDone;

    /** Memory of its own that the payload is received into, null if it goes straight to an MD. */
    public @Nullable MemorySegment own;

    /** The source that the caller named, {@link Nid#ANY} for none. */
    public Nid requestedSource = Nid.ANY;

    /** The destination that the caller named. */
    public Nid requestedTarget = Nid.ANY;

    /**
     * The NID that its header names as destination: that of {@link #peerNi}, or one behind it when it goes through a
     * router.
     */
    public Nid destination = Nid.ANY;

    /** The route that it goes over, null if it needs none. */
    public @Nullable Route route;

    /** The NI it is sent from or was received on. */
    public @Nullable LocalNi ni;

    /** The peer NI of the next hop that it is sent to, or that it was received from; null for loopback. */
    public @Nullable PeerNi peerNi;

    /** Whether it holds a credit of {@link #ni}. */
    public boolean niCredit;

    /** The pool of {@link #ni} that it holds a credit of or waits at; null if neither. */
    @Nullable
    Credits niPool;

    /** Whether it holds a credit of {@link #peerNi}. */
    public boolean peerCredit;

    /** Whether a fault rule made it fail, which then says whose failure that is. */
    public boolean injected;

    /** Whether it only looks how things are: its outcome costs nobody health and gives nobody any. */
    public boolean probe;

    /** When its path was chosen, monotonic ns. */
    public long committed;

    /** When it must be done, monotonic ns; meaningful while {@link #active}. */
    public long deadline;

    /** Whether it is timed, from the first attempt to send it to its end. */
    public boolean active;

    /** Whether its deadline follows from its descriptor's limit instead of the node's. */
    public boolean ownLimit;

    /** What it waits for. */
    public Waiting waiting = Waiting.NO;

    /** Whether its owner has been told of its end while a transport still has it: when it comes back, nobody cares. */
    public boolean abandoned;

    /** When it is to be sent again at the earliest, monotonic ns. */
    public long resendTime;

    /** The NID that it was sent from without success last. */
    public Nid failedSource = Nid.ANY;

    /** The NID that it was sent to without success last. */
    public Nid failedTarget = Nid.ANY;

    /** Limit handed to the transport, ns. */
    public long timeout;

    /** For received messages: primary NID of the sender. */
    public Nid initiator = Nid.ANY;

    /**
     * For received and forwarded messages: NID of the last hop. For responses: that of the request, which is where they
     * go back to.
     */
    public Nid sender = Nid.ANY;

    /** For forwarded messages: the NI that it came by. */
    public @Nullable LocalNi cameBy;

    /** For forwarded messages: the peer NI that it came from, whose router credits it is charged to. */
    public @Nullable PeerNi cameFrom;

    /** Whether it holds a router credit of {@link #cameFrom}. */
    public boolean routerCredit;

    /** The router buffer that it holds, null if none. */
    public @Nullable RouterBuffer buffer;

    /** Where the payload of a message to be forwarded comes from, until the transport is told where to put it. */
    public @Nullable LndReceiver source;

    /** How it ended: 0 or a negative errno. */
    public int status;

    /** How it ended, for health. */
    public HealthStatus health = HealthStatus.OK;

    /** Makes an unused message. */
    public Message() {}

    @Override
    public long deadlineNanos() {
        return deadline;
    }

    @Override
    public @Nullable Message before() {
        return activeBefore;
    }

    @Override
    public void setBefore(@Nullable Message other) {
        activeBefore = other;
    }

    @Override
    public @Nullable Message after() {
        return activeAfter;
    }

    @Override
    public void setAfter(@Nullable Message other) {
        activeAfter = other;
    }

    /** Returns the next message of a free list. */
    public @Nullable Message nextFree() {
        return next;
    }

    /** Links this message into a free list. */
    public void setNextFree(@Nullable Message free) {
        next = free;
    }

    /** Makes it as good as new. */
    public void clear() {
        next = null;
        after = After.RELEASE;
        md = null;
        views = null;
        viewsOfMd = false;
        mdOffset = 0;
        length = 0;
        accepted = 0;
        sending = false;
        response = false;
        placed = false;
        exactTarget = false;
        forwarding = false;
        recovery = false;
        injected = false;
        probe = false;
        retries = 0;
        clearUsed();
        discoveryDone = false;
        gatewaysAwaited = 0;
        own = null;
        requestedSource = Nid.ANY;
        requestedTarget = Nid.ANY;
        destination = Nid.ANY;
        route = null;
        ni = null;
        peerNi = null;
        niCredit = false;
        niPool = null;
        peerCredit = false;
        committed = 0;
        deadline = 0;
        ownLimit = false;
        waiting = Waiting.NO;
        abandoned = false;
        failedSource = Nid.ANY;
        failedTarget = Nid.ANY;
        timeout = 0;
        status = 0;
        health = HealthStatus.OK;
        initiator = Nid.ANY;
        sender = Nid.ANY;
        cameBy = null;
        cameFrom = null;
        routerCredit = false;
        buffer = null;
        source = null;
    }

    /**
     * Notes that it was sent over a pair of interfaces without success; a resend avoids both while there are others.
     */
    public void markUsed(LocalNi ni, PeerNi peerNi) {
        markUsed(ni);
        markUsed(peerNi);
    }

    /** Notes that it was sent from an NI without success. */
    public void markUsed(LocalNi ni) {
        used.add(ni);
    }

    /** Notes that it was sent to a peer NI without success. */
    public void markUsed(PeerNi peerNi) {
        used.add(peerNi);
    }

    /** Tells whether it was sent from an NI without success. */
    public boolean hasUsed(LocalNi ni) {
        return used.has(ni);
    }

    /** Tells whether it was sent to a peer NI without success. */
    public boolean hasUsed(PeerNi peerNi) {
        return used.has(peerNi);
    }

    /** Forgets which NIs were used: all have been, it begins again. */
    public void clearUsedNis() {
        used.clearNis();
    }

    /** Forgets which peer NIs were used: all have been, it begins again. */
    public void clearUsedPeerNis() {
        used.clearPeerNis();
    }

    /** Forgets all used interfaces. */
    public void clearUsed() {
        used.clearNis();
        used.clearPeerNis();
    }

    /** Opens windows onto {@link #length} bytes of its MD from {@link #mdOffset}. */
    public void openViews() {
        if (length > 0 && md != null) {
            Views windows = md.takeViews();
            windows.select(mdOffset, length);
            views = windows;
            viewsOfMd = true;
        }
    }

    /**
     * Opens windows onto {@link #length} bytes of its router buffer. For the one that has the message; needs no lock.
     *
     * @throws OutOfMemoryError if the buffer is used for the first time and there is no memory for it
     */
    public void openBuffer() {
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

    /** Takes it out of the queue that it is in, if any. */
    public void leaveQueue() {
        if (queue != null) {
            queue.remove(this);
        }
    }

    /** Points it at memory of its own. */
    public void selectOwn(MemorySegment memory) {
        own = memory;
        length = (int) memory.byteSize();
        Views windows = new Views(List.of(memory));
        windows.select(0, length);
        views = windows;
        viewsOfMd = false;
    }

    /** Gives the windows back. */
    public void releaseViews() {
        if (views != null && viewsOfMd && md != null) {
            md.giveBack(views);
        }
        views = null;
        viewsOfMd = false;
    }

    @Override
    public LNetHeader header() {
        return header;
    }

    @Override
    public Nid nextHop() {
        return peerNi == null ? header.destNid() : peerNi.nid();
    }

    @Override
    public int nextHopPid() {
        return header.destPid();
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
}
