package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * The event of one message, filled in place and used again. Written by the thread that completes the message, read by
 * its handler.
 */
public final class EventData implements Event {
    private EventKind kind = EventKind.SEND;
    private @Nullable Md md;
    private int status;
    private boolean unlinked;
    private long sequence;
    private MessageType messageType = MessageType.PUT;
    private Nid targetNid = Nid.ANY;
    private int targetPid;
    private Nid initiatorNid = Nid.ANY;
    private int initiatorPid;
    private Nid sourceNid = Nid.ANY;
    private Nid senderNid = Nid.ANY;
    private int portal;
    private long matchBits;
    private int rlength;
    private int mlength;
    private int offset;
    private long hdrData;

    /** Makes an event with no content. */
    public EventData() {}

    /** Fills in a SEND event from the header that left, or did not. */
    public void setSend(LNetHeader header) {
        kind = EventKind.SEND;
        messageType = header.type();
        setTarget(header);
        initiatorNid = Nid.ANY;
        initiatorPid = header.srcPid();
        sourceNid = Nid.ANY;
        senderNid = Nid.ANY;
        portal = header.portal();
        matchBits = header.matchBits();
        rlength = header.type() == MessageType.GET ? header.sinkLength() : header.payloadLength();
        mlength = rlength;
        offset = header.offset();
        hdrData = header.type() == MessageType.PUT ? header.hdrData() : 0;
    }

    /** Fills in a PUT or GET event of a passive MD. */
    public void setPassive(
            EventKind passive, LNetHeader header, Nid initiator, Nid sender, int rlen, int mlen, int mdOffset) {
        kind = passive;
        messageType = passive == EventKind.PUT ? MessageType.PUT : MessageType.GET;
        setTarget(header);
        setSource(header, initiator, sender);
        portal = header.portal();
        matchBits = header.matchBits();
        rlength = rlen;
        mlength = mlen;
        offset = mdOffset;
        hdrData = passive == EventKind.PUT ? header.hdrData() : 0;
    }

    /** Fills in an ACK or REPLY event from the header that arrived. */
    public void setResponse(EventKind response, LNetHeader header, Nid initiator, Nid sender, int mlen) {
        kind = response;
        messageType = header.type();
        setTarget(header);
        setSource(header, initiator, sender);
        portal = 0;
        matchBits = response == EventKind.ACK ? header.matchBits() : 0;
        rlength = response == EventKind.ACK ? 0 : header.payloadLength();
        mlength = mlen;
        offset = 0;
        hdrData = 0;
    }

    /** Says that no REPLY was sent, but its bytes were written to where the GET said. */
    public void setPlaced() {
        messageType = MessageType.GET;
    }

    /** Fills in an event that no message caused: UNLINK, or a response that did not come. */
    public void setBare(EventKind bare, MessageType type) {
        kind = bare;
        messageType = type;
        targetNid = Nid.ANY;
        targetPid = 0;
        initiatorNid = Nid.ANY;
        initiatorPid = 0;
        sourceNid = Nid.ANY;
        senderNid = Nid.ANY;
        portal = 0;
        matchBits = 0;
        rlength = 0;
        mlength = 0;
        offset = 0;
        hdrData = 0;
    }

    private void setTarget(LNetHeader header) {
        targetNid = header.destNid();
        targetPid = header.destPid();
    }

    private void setSource(LNetHeader header, Nid initiator, Nid sender) {
        initiatorNid = initiator;
        initiatorPid = header.srcPid();
        sourceNid = header.srcNid();
        senderNid = sender;
    }

    /** Forgets whose event it was. */
    public void clear() {
        md = null;
    }

    /** Fills in what every event has. */
    public void setOutcome(Md of, int result, boolean last, long number) {
        md = of;
        status = result;
        unlinked = last;
        sequence = number;
    }

    @Override
    public EventKind kind() {
        return kind;
    }

    @Override
    public Md md() {
        if (md == null) {
            throw new IllegalStateException("the event has no content");
        }
        return md;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean unlinked() {
        return unlinked;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public MessageType messageType() {
        return messageType;
    }

    @Override
    public Nid targetNid() {
        return targetNid;
    }

    @Override
    public int targetPid() {
        return targetPid;
    }

    @Override
    public Nid initiatorNid() {
        return initiatorNid;
    }

    @Override
    public int initiatorPid() {
        return initiatorPid;
    }

    @Override
    public Nid sourceNid() {
        return sourceNid;
    }

    @Override
    public Nid senderNid() {
        return senderNid;
    }

    @Override
    public int portal() {
        return portal;
    }

    @Override
    public long matchBits() {
        return matchBits;
    }

    @Override
    public int rlength() {
        return rlength;
    }

    @Override
    public int mlength() {
        return mlength;
    }

    @Override
    public int offset() {
        return offset;
    }

    @Override
    public long hdrData() {
        return hdrData;
    }

    @Override
    public Event snapshot() {
        EventData copy = new EventData();
        copy.kind = kind;
        copy.md = md;
        copy.status = status;
        copy.unlinked = unlinked;
        copy.sequence = sequence;
        copy.messageType = messageType;
        copy.targetNid = targetNid;
        copy.targetPid = targetPid;
        copy.initiatorNid = initiatorNid;
        copy.initiatorPid = initiatorPid;
        copy.sourceNid = sourceNid;
        copy.senderNid = senderNid;
        copy.portal = portal;
        copy.matchBits = matchBits;
        copy.rlength = rlength;
        copy.mlength = mlength;
        copy.offset = offset;
        copy.hdrData = hdrData;
        return copy;
    }

    @Override
    public String toString() {
        return kind + " " + Errno.describe(status) + " target " + targetNid + " source " + sourceNid + " portal "
                + portal + " bits 0x"
                + Long.toHexString(matchBits) + " rlength " + rlength + " mlength " + mlength + " offset " + offset
                + (unlinked ? " unlinked" : "");
    }
}
