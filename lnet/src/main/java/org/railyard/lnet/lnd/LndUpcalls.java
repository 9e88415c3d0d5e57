package org.railyard.lnet.lnd;

import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * What a transport tells the stack (spec 10 §22). Every method may be called from any thread and may call back into the transport before it
 * returns; the caller must hold no lock.
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
     * Tells that a peer was found alive or dead.
     *
     * @param ni the NI through which
     * @param peer the peer's NID
     * @param alive whether it lives
     * @param reset whether its health is to be taken as full again
     * @param whenNanos monotonic time of the finding, ns
     */
    void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos);

    /** Tells what happened to the device of an NI. */
    void deviceEvent(LndNi ni, DeviceEvent event);
}
