package org.railyard.softverbs.cm;

import java.lang.foreign.MemorySegment;
import org.railyard.softverbs.card.SoftInterface;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.card.cm.PrivateBytes;

/**
 * A message of the connection manager.
 *
 * @param kind what it is
 * @param answer whether it is the answer, of {@link TrafficKind#CM_DISCONNECT}
 * @param from where it comes from
 * @param to where it goes to
 * @param fromId the sender's number of the connection
 * @param toId the receiver's number of it; 0 in a request
 * @param offer what a request or acceptance says of the queue pair
 * @param reason of a reject
 * @param data private data
 */
record SoftCmMessage(
        TrafficKind kind,
        boolean answer,
        SoftInterface from,
        SoftInterface to,
        int fromId,
        int toId,
        Offer offer,
        int reason,
        MemorySegment data) {
    /** Returns the answer to a message that says that a connection ends. */
    static SoftCmMessage disconnectAnswer(SoftCmMessage to) {
        return new SoftCmMessage(
                TrafficKind.CM_DISCONNECT, true, to.to, to.from, to.toId, to.fromId, Offer.NONE, 0, MemorySegment.NULL);
    }

    /** Returns what the listener is told of a request, with the connection that was made for it. */
    CmEvent asRequest(CmId id) {
        return new CmEvent(CmEvent.Type.CONNECT_REQUEST, 0, PrivateBytes.padded(data, PrivateData.REQUEST_BYTES), id);
    }

    /**
     * What a request or acceptance says.
     *
     * @param source address of the side that asks
     * @param destination address of the side that listens
     * @param qpn number of the sender's queue pair
     * @param psn number that the other side's first message has to have
     * @param sl service level of the path
     * @param mtu largest packet, bytes
     * @param parameters how often to try
     */
    record Offer(
            CmAddress source, CmAddress destination, int qpn, long psn, int sl, int mtu, ConnectParameters parameters) {
        static final Offer NONE =
                new Offer(new CmAddress(0, 0), new CmAddress(0, 0), 0, 0, 0, 0, ConnectParameters.DEFAULT);
    }
}
