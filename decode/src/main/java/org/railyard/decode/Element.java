package org.railyard.decode;

import org.jspecify.annotations.Nullable;
import org.railyard.decode.tcp.ConnectionListener;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * One thing that happened on a connection.
 *
 * @param packet number of the packet with its first byte
 * @param time when that packet was captured, ns since 1970
 * @param connection number of the connection
 * @param fromInitiator who said it
 * @param offset place of its first byte in that direction's stream; -1 for TCP flags
 * @param body what it is
 */
record Element(long packet, long time, int connection, boolean fromInitiator, long offset, Body body) {
    /** What an element is. */
    sealed interface Body {}

    /** A TCP flag that counts. */
    record Tcp(ConnectionListener.Flag flag) implements Body {}

    /** A connection request, or an acceptor's refusal, which has the same form. */
    record Request(ConnectionRequest request) implements Body {}

    /** A HELLO. */
    record Greeting(Hello hello) implements Body {}

    /** A frame without a message. */
    record Noop(FrameHeader frame, ProtocolVersion version, Checksum checksum) implements Body {}

    /**
     * An LNet message.
     *
     * @param frame the frame header, null on V1
     * @param payload bytes of payload in the capture
     * @param ping the ping info that the payload is, if it is one
     * @param pingFlaw what is wrong with a payload that should be a ping info
     */
    record Message(
            @Nullable FrameHeader frame,
            ProtocolVersion version,
            LNetHeader header,
            long payload,
            Checksum checksum,
            @Nullable PingInfo ping,
            @Nullable String pingFlaw)
            implements Body {}

    /**
     * The checksum of a frame.
     *
     * @param state what is known about it
     * @param computed what it should be; 0 if not known
     */
    record Checksum(State state, int computed) {
        /** Whether a checksum is there and right. */
        enum State {
            NONE,
            RIGHT,
            WRONG,
            /** Not all bytes are in the capture. */
            UNKNOWN
        }

        static final Checksum NONE = new Checksum(State.NONE, 0);
        static final Checksum UNKNOWN = new Checksum(State.UNKNOWN, 0);

        static Checksum of(int found, int computed) {
            return new Checksum(found == computed ? State.RIGHT : State.WRONG, computed);
        }
    }

    /**
     * Bytes that are nothing known; the rest of the stream is passed over.
     *
     * @param reason what was found and what was expected
     * @param raw the first of the bytes, hexadecimal
     */
    record Undecodable(String reason, String raw) implements Body {}

    /** Bytes that the capture lacks. */
    record Gap(long length) implements Body {}

    /** Where frames are recognised again, behind a gap or in a connection whose start the capture lacks. */
    record Resumed(long passedOver) implements Body {}
}
