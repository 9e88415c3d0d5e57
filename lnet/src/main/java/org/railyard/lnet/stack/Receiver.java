package org.railyard.lnet.stack;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.PeerTable;
import org.railyard.lnet.portal.Portal;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.lnet.wire.Wire;

/** Receiving: from a header off the wire to memory and event (spec 10 §9, §4.2; 01 §5). */
public final class Receiver {
    /** Most PUTs that wait for a match at a time, in the whole node; further ones are dropped. */
    public static final int MAX_DELAYED = 4096;

    /** Most bytes of payload in PUTs that wait for a match; further ones are dropped. */
    public static final long MAX_DELAYED_BYTES = 64L << 20;

    private static final System.Logger LOG = System.getLogger(Receiver.class.getName());

    private final Node node;
    private final Completer completer;
    private final Sender sender;
    private final Portal.Identity identity;
    private final LimitedLog dropLog;
    private int delayedCount;
    private long delayedBytes;

    /** Makes a receiver. */
    public Receiver(Node node, Completer completer, Sender sender) {
        this.node = node;
        this.completer = completer;
        this.sender = sender;
        PeerTable peers = node.peers;
        this.identity = peers::isSamePeer;
        this.dropLog = new LimitedLog(LOG, System.Logger.Level.WARNING, node.host.clock());
        completer.setReceiver(this);
    }

    /** Takes a header from a transport; the contract is {@link org.railyard.lnet.lnd.LndUpcalls#parse}. */
    public int parse(LndNi lndNi, LNetHeader header, Nid from, LndReceiver source) {
        LocalNi ni = (LocalNi) lndNi;
        int length = header.payloadLength();
        int status = check(header, length);
        if (status < 0) {
            return status;
        }
        Pending work = node.pending();
        Message into = null;
        int take = 0;
        node.lock.lock();
        try {
            if (!header.destNid().equals(ni.nid())) {
                if (header.destNid().isOnNetOf(ni.nid())
                        || header.destNid().isLoopback()
                        || node.nis.find(header.destNid()) != null) {
                    return refuse("a message to " + header.destNid() + " came in on " + ni.nid()
                            + ", expected that NID or one of another node");
                }
                drop(ni, null, header, "routing is off");
            } else {
                Message message = accept(ni, header, from);
                if (message != null) {
                    into = dispatch(message, work);
                    take = into == null ? 0 : into.length;
                }
            }
        } finally {
            node.lock.unlock();
        }
        source.receive(into, take, length);
        completer.run(work);
        return 0;
    }

    private int check(LNetHeader header, int length) {
        return switch (header.type()) {
            case ACK, GET ->
                length == 0
                        ? 0
                        : refuse(header.type() + " with a payload of " + Integer.toUnsignedString(length)
                                + " bytes, expected none");
            case PUT, REPLY ->
                length >= 0 && length <= Wire.MTU
                        ? 0
                        : refuse(header.type() + " with a payload of " + Integer.toUnsignedString(length)
                                + " bytes, the limit is " + Wire.MTU);
            case HELLO -> refuse("HELLO behind the handshake");
        };
    }

    private int refuse(String why) {
        dropLog.log("protocol", why);
        return Errno.EPROTO.status();
    }

    private void drop(LocalNi ni, @Nullable PeerNi peerNi, LNetHeader header, String why) {
        node.countDrop();
        ni.traffic.dropped(header.type());
        if (peerNi != null) {
            peerNi.traffic.dropped(header.type());
        }
        if (dropLog.wants(why)) {
            dropLog.log(
                    why,
                    "dropped " + header.type() + " from " + header.srcNid() + " to " + header.destNid() + " portal "
                            + header.portal() + " bits 0x" + Long.toHexString(header.matchBits()) + ": " + why);
        }
    }

    /** Records who sent; returns a message that holds the header, or null if it is dropped. */
    private @Nullable Message accept(LocalNi ni, LNetHeader header, Nid from) {
        if (node.stopping || ni.deleting || node.messagesInUse() >= Node.MAX_MESSAGES) {
            drop(ni, null, header, "the NI is stopping or all messages are in use");
            return null;
        }
        PeerNi peerNi = null;
        if (!from.isLoopback()) {
            peerNi = node.peers.findOrCreate(from, ni);
            if (peerNi == null) {
                drop(ni, null, header, "the limit of " + PeerTable.MAX_PEER_NIS + " peer NIDs is reached");
                return null;
            }
            peerNi.lastAlive = node.now();
            peerNi.everAlive = true;
            peerNi.status = PingInfo.STATUS_UP;
            node.health.heardOf(peerNi);
        }
        Message message = node.take();
        message.header().copyFrom(header);
        message.ni = ni;
        ni.refs++;
        message.peerNi = peerNi;
        message.sender = from;
        message.initiator = peerNi != null && header.srcNid().equals(from)
                ? peerNi.peer().primaryNid
                : node.peers.primaryOf(header.srcNid());
        return message;
    }

    /** Finds out what a message is for; returns it if payload is to be received into it, else null. */
    private @Nullable Message dispatch(Message message, Pending work) {
        return switch (message.header().type()) {
            case PUT -> onPut(message);
            case GET -> onGet(message, work);
            case ACK -> onAck(message, work);
            case REPLY -> onReply(message);
            case HELLO -> throw new IllegalStateException("HELLO was refused before");
        };
    }

    private @Nullable Message onPut(Message message) {
        LNetHeader header = message.header();
        Portal portal = node.portals.find(header.portal());
        Portal.Outcome outcome = portal == null ? Portal.Outcome.NO_MATCH : portal.match(message, identity);
        if (outcome == Portal.Outcome.MATCHED) {
            openPut(message);
            return message;
        }
        if (outcome == Portal.Outcome.NO_MATCH
                && portal != null
                && portal.parksUnmatched()
                && hasRoomToDelay(header.payloadLength())) {
            delayedCount++;
            delayedBytes += header.payloadLength();
            message.selectOwn(
                    header.payloadLength() == 0
                            ? MemorySegment.NULL
                            : Arena.ofAuto().allocate(header.payloadLength()));
            return message;
        }
        discard(
                message,
                outcome == Portal.Outcome.TOO_LONG ? "too long for the memory descriptor that matches" : "no match");
        return null;
    }

    private boolean hasRoomToDelay(int bytes) {
        return delayedCount < MAX_DELAYED && delayedBytes + bytes <= MAX_DELAYED_BYTES;
    }

    /** A PUT has its descriptor: fixes what its event says and opens the memory. */
    private static void openPut(Message message) {
        MemoryDescriptor md = requireMd(message);
        message.accepted = message.length;
        message.event.setPassive(
                EventKind.PUT,
                message.header(),
                message.initiator,
                message.sender,
                message.header().payloadLength(),
                message.accepted,
                message.mdOffset);
        if (md.has(MdOption.DISCARD)) {
            message.length = 0;
        }
        message.openViews();
    }

    private static MemoryDescriptor requireMd(Message message) {
        MemoryDescriptor md = message.md;
        if (md == null) {
            throw new IllegalStateException("a matched message without a descriptor");
        }
        return md;
    }

    private @Nullable Message onGet(Message message, Pending work) {
        LNetHeader header = message.header();
        Portal portal = node.portals.find(header.portal());
        Portal.Outcome outcome = portal == null ? Portal.Outcome.NO_MATCH : portal.match(message, identity);
        if (outcome != Portal.Outcome.MATCHED) {
            discard(
                    message,
                    outcome == Portal.Outcome.TOO_LONG
                            ? "asks for more than the memory descriptor that matches has"
                            : "no match");
            return null;
        }
        countReceived(message);
        message.event.setPassive(
                EventKind.GET,
                header,
                message.initiator,
                message.sender,
                header.sinkLength(),
                message.length,
                message.mdOffset);
        message.openViews();
        Nid source = header.destNid();
        Nid target = header.srcNid();
        int targetPid = header.srcPid();
        header.setReply(message.length, header.interfaceCookie(), header.objectCookie());
        header.setRoute(target, targetPid, source, node.pid);
        Completer.leave(message);
        message.ni = null;
        message.peerNi = null;
        message.sending = true;
        message.response = true;
        message.requestedSource = source;
        message.requestedTarget = target;
        sender.prepare(message, work);
        return null;
    }

    private static void countReceived(Message message) {
        if (message.ni != null) {
            message.ni.traffic.received(message.header().type());
        }
        if (message.peerNi != null) {
            message.peerNi.traffic.received(message.header().type());
        }
    }

    /** Returns the bound descriptor that a response is for, or null if there is none that still takes one. */
    private @Nullable MemoryDescriptor initiatorMd(LNetHeader header) {
        if (header.interfaceCookie() != node.cookie) {
            return null;
        }
        MemoryDescriptor md = node.mds.find(header.objectCookie());
        return md == null || md.entry != null || md.threshold == 0 ? null : md;
    }

    private @Nullable Message onAck(Message message, Pending work) {
        LNetHeader header = message.header();
        MemoryDescriptor md = initiatorMd(header);
        if (md == null) {
            // Late or repeated: nothing wrong, nobody interested.
            node.countDrop();
            Completer.leave(message);
            node.release(message);
            return null;
        }
        countReceived(message);
        md.use();
        md.refs++;
        node.responses.untrack(md);
        message.event.setResponse(EventKind.ACK, header, message.initiator, message.sender, header.mlength());
        completer.finish(message, md, work);
        return null;
    }

    private @Nullable Message onReply(Message message) {
        LNetHeader header = message.header();
        MemoryDescriptor md = initiatorMd(header);
        if (md == null) {
            discard(message, "no request waits for this reply");
            return null;
        }
        int length = header.payloadLength();
        if (length > md.length() && !md.has(MdOption.TRUNCATE)) {
            discard(message, "reply longer than the memory descriptor");
            return null;
        }
        md.use();
        md.refs++;
        message.md = md;
        message.length = Math.min(length, md.length());
        message.event.setResponse(EventKind.REPLY, header, message.initiator, message.sender, message.length);
        message.openViews();
        return message;
    }

    private void discard(Message message, String why) {
        if (message.ni != null) {
            drop(message.ni, message.peerNi, message.header(), why);
        }
        Completer.leave(message);
        node.release(message);
    }

    /** Tells whether a PUT that went into a descriptor is to be answered with an ACK. */
    boolean wantsAck(Message message, MemoryDescriptor md) {
        return message.header().type() == MessageType.PUT
                && message.header().wantsAck()
                && !md.has(MdOption.ACK_DISABLE);
    }

    /**
     * The payload of a PUT without a match has arrived: tries again, or lets it wait. Needs the lock.
     *
     * @return whether the message is taken care of
     */
    boolean settleDelayed(Message message, Pending work) {
        Portal portal = node.portals.find(message.header().portal());
        if (portal == null || message.own == null) {
            return false;
        }
        if (!tryDelayed(portal, message, work)) {
            if (!portal.parksUnmatched()) {
                forgetDelayed(message);
                return false;
            }
            portal.delayed().add(message);
        }
        return true;
    }

    /** A descriptor was attached: waiting PUTs that match go to it, oldest first. Needs the lock. */
    void matchDelayed(Portal portal, Pending work) {
        for (int left = portal.delayed().size(); left > 0; left--) {
            Message message = portal.delayed().poll();
            if (message != null && !tryDelayed(portal, message, work)) {
                portal.delayed().add(message);
            }
        }
    }

    private boolean tryDelayed(Portal portal, Message message, Pending work) {
        Portal.Outcome outcome = portal.match(message, identity);
        if (outcome == Portal.Outcome.NO_MATCH) {
            return false;
        }
        MemorySegment payload = message.own;
        forgetDelayed(message);
        if (outcome == Portal.Outcome.TOO_LONG || payload == null) {
            message.releaseViews();
            discard(message, "too long for the memory descriptor that matches");
            return true;
        }
        message.releaseViews();
        openPut(message);
        copy(payload, message);
        message.status = 0;
        MemoryDescriptor md = requireMd(message);
        if (wantsAck(message, md)) {
            message.after = Message.After.SEND_ACK;
        }
        completer.finish(message, md, work);
        return true;
    }

    private static void copy(MemorySegment payload, Message message) {
        long at = 0;
        for (int i = 0; i < message.fragmentCount(); i++) {
            MemorySegment target = MemorySegment.ofBuffer(message.fragments()[i]);
            MemorySegment.copy(payload, at, target, 0, target.byteSize());
            at += target.byteSize();
        }
    }

    private void forgetDelayed(Message message) {
        delayedCount--;
        delayedBytes -= message.header().payloadLength();
        message.own = null;
    }

    /** Drops everything that waits on a portal. Needs the lock. */
    void dropDelayed(Portal portal) {
        for (Message message = portal.delayed().poll();
                message != null;
                message = portal.delayed().poll()) {
            forgetDelayed(message);
            discard(message, "the portal is not lazy any more");
        }
    }

    /** A PUT whose payload did not arrive is forgotten. Needs the lock. */
    void abandonDelayed(Message message) {
        if (message.own != null) {
            forgetDelayed(message);
        }
    }
}
