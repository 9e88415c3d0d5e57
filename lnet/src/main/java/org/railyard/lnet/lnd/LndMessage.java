package org.railyard.lnet.lnd;

import java.nio.ByteBuffer;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A message on loan to a transport, to send or to receive into. The transport owns it from {@link Lnd#send} or {@link
 * LndReceiver#receive} until it calls {@link LndUpcalls#complete}, exactly once; after that it must not touch it: the
 * object is used again.
 */
public interface LndMessage {
    /** Returns the header. To be read only. */
    LNetHeader header();

    /** Returns the NID to send the bytes to: the destination, or a router. Meaningless on receipt. */
    Nid nextHop();

    /**
     * Returns the process id that goes with {@link #nextHop()}; one with the user flag names a peer that can not be
     * dialled.
     */
    int nextHopPid();

    /** Returns the payload, bytes: what is to be sent, or what is to be stored. */
    int payloadLength();

    /**
     * Returns the payload's memory: the first {@link #fragmentCount()} buffers, whose remaining bytes add up to {@link
     * #payloadLength()}. They belong to this message; the transport moves their positions. Off-heap memory is neither
     * copied on sending nor on receipt.
     */
    ByteBuffer[] fragments();

    /** Returns how many of {@link #fragments()} count; 0 when there is no payload. */
    int fragmentCount();

    /**
     * Returns how long the transport may take to finish the message, ns; 0 means as long as the transport's own limit.
     */
    long timeoutNanos();
}
