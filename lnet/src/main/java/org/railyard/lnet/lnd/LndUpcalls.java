package org.railyard.lnet.lnd;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * What a transport tells the stack (spec 10 §22). Every method may be called from any thread and may call back into the
 * transport before it returns; the caller must hold no lock.
 */
public interface LndUpcalls {
    /**
     * Hands over a header that arrived. The stack answers through {@code receiver}, unless it refuses.
     *
     * @param ni the NI it arrived on
     * @param header the header; the stack copies what it keeps, the caller may reuse it when this returns
     * @param from NID of the physical sender, as its connection claimed it
     * @param fromPid process id of the physical sender
     * @param receiver where the payload comes from
     * @return 0, or a negative errno: close all connections to the sender, and call nothing more for this header
     */
    int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver);

    /**
     * Gives a message back: sent or not, received or not. Exactly once per message.
     *
     * @param message the message
     * @param status 0 or a negative errno
     * @param health agrees with the status: {@link HealthStatus#OK} if and only if the status is 0
     */
    void complete(LndMessage message, int status, HealthStatus health);

    /**
     * Gives a message back that was sent or received without an error, as one of several: what follows from it may wait
     * until {@link #flush}, which the same thread calls before it turns to something else. Several messages then cost
     * one taking of the stack's lock.
     *
     * @param message the message
     */
    default void completeSoon(LndMessage message) {
        complete(message, 0, HealthStatus.OK);
    }

    /** Ends what the calling thread gave back with {@link #completeSoon}. No effect if there is nothing. */
    default void flush() {}

    /**
     * Makes what the REPLY to a GET is received into, for a transport that tells the peer where to write it: all memory
     * of the GET's descriptor (spec 10 §22). The REPLY is lent to the transport from now on, like the GET. It gives
     * back both through {@link #complete}, the REPLY first, and not before nothing can be written any more.
     *
     * @param ni the NI that the GET is sent from
     * @param get a GET that the transport has and has not begun to send
     * @return null if the REPLY has to come as a message of its own: the GET is somebody else's, or nobody waits for
     *     its answer any more
     */
    default @Nullable LndMessage reply(LndNi ni, LndMessage get) {
        return null;
    }

    /**
     * Tells how much of the memory of a REPLY was written, from its beginning. Before the REPLY is given back with
     * status 0.
     *
     * @param reply one from {@link #reply}, which the transport has
     * @param length 0…{@link LndMessage#payloadLength}, bytes
     */
    default void setReplyLength(LndMessage reply, int length) {
        throw new UnsupportedOperationException("this stack makes no REPLYs for transports");
    }

    /**
     * Tells that a peer was found alive or dead.
     *
     * @param ni the NI through which
     * @param peer the peer's NID
     * @param alive whether it lives
     * @param reset whether its health is to be taken as full again
     * @param whenNanos monotonic time of the finding, ns
     */
    void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos);

    /**
     * Tells that there is a connection with a peer where there was none, for those who watch. Says nothing of whether
     * the peer lives, and changes neither health nor routes: a transport that wants that calls {@link #notifyPeer}.
     *
     * @param ni the NI through which
     * @param peer the peer's NID
     */
    default void connected(LndNi ni, Nid peer) {}

    /**
     * Tells that the last connection with a peer ended, for those who watch. Says nothing of whether the peer lives,
     * and changes neither health nor routes; where the peer is taken for dead, a transport calls {@link #notifyPeer}
     * instead.
     *
     * @param ni the NI through which
     * @param peer the peer's NID
     */
    default void disconnected(LndNi ni, Nid peer) {}

    /** Tells what happened to the device of an NI. */
    void deviceEvent(LndNi ni, DeviceEvent event);
}
