package org.railyard.decode.tcp;

import java.lang.foreign.MemorySegment;

/**
 * One TCP segment of a capture.
 *
 * @param packet number of its packet in the capture
 * @param offset where the packet's record starts in the file
 * @param time when it was captured, ns since 1970
 * @param from the sender
 * @param to the receiver
 * @param sequence sequence number
 * @param flags the flag bits, see the constants
 * @param payload the payload, as far as it was captured; a view of the file
 * @param missing bytes of payload that were sent but not captured
 */
public record TcpSegment(
        long packet,
        long offset,
        long time,
        TcpEndpoint from,
        TcpEndpoint to,
        int sequence,
        int flags,
        MemorySegment payload,
        long missing) {
    /** No more data from the sender. */
    public static final int FIN = 0x01;

    /** Opens a connection. */
    public static final int SYN = 0x02;

    /** Breaks a connection. */
    public static final int RST = 0x04;

    /** The acknowledgement number counts. */
    public static final int ACK = 0x10;

    /** Tells whether a flag is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
