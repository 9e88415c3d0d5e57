package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * REPLYs that are no messages on the wire: the transport has said, with the GET, where the peer is to write (spec 10
 * §22, 20 §13.2). Made when the GET is about to leave, so that the memory stays until the transport gives it back,
 * whatever becomes of the GET meanwhile; what arrives only counts in the end.
 */
public final class PlacedReplies {
    private PlacedReplies() {}

    /** Notes how much was written. For the transport that has the REPLY; needs no lock. */
    public static void setLength(LndMessage reply, int length) {
        Message message = (Message) reply;
        if (length < 0 || length > message.length()) {
            throw new IllegalArgumentException(
                    "a REPLY of " + length + " bytes into memory of " + message.length() + " bytes");
        }
        message.setLength(length);
    }

    /** Makes the REPLY to a GET that a transport has; null if there is nobody to be told of it. */
    static @Nullable Message make(Node node, Message get) {
        node.lock.assertHeld();
        MemoryDescriptor md = get.md();
        LocalNi ni = get.ni();
        PeerNi peerNi = get.peerNi();
        if (md == null || ni == null || peerNi == null || get.isForwarding() || get.isAbandoned() || !isAwaited(md)) {
            return null;
        }
        Message reply = node.take();
        LNetHeader asked = get.header();
        reply.header().setReply(md.length(), asked.interfaceCookie(), asked.objectCookie());
        Nid asking = asked.srcNid();
        int askingPid = asked.srcPid();
        reply.header().setRoute(asking, askingPid, asked.destNid(), asked.destPid());
        reply.become(Role.PLACED_IN);
        reply.path().hop(ni, peerNi);
        reply.setSender(peerNi.nid());
        reply.setInitiator(peerNi.peer().primaryNid);
        reply.setPayload(md, 0, md.length());
        md.refs++;
        reply.openViews();
        return reply;
    }

    /** Tells whether a REPLY may come for a descriptor. */
    private static boolean isAwaited(MemoryDescriptor md) {
        return !md.unlinked && md.awaitedReplies > 0 && md.threshold != 0;
    }

    /**
     * The peer has written, and the descriptor hears of it, as if a REPLY had arrived just now.
     *
     * @return false if nobody waits any more
     */
    static boolean arrive(Node node, Message reply, MemoryDescriptor md) {
        node.lock.assertHeld();
        LNetHeader header = reply.header();
        header.setReply(reply.length(), header.interfaceCookie(), header.objectCookie());
        if (!isAwaited(md)) {
            return false;
        }
        md.use();
        md.awaitedReplies--;
        reply.event().setResponse(EventKind.REPLY, header, reply.initiator(), reply.sender(), reply.length());
        reply.event().setPlaced();
        return true;
    }
}
