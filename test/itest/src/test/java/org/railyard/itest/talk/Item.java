package org.railyard.itest.talk;

import java.util.HexFormat;
import java.util.Locale;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/** One thing said over a connection. */
public sealed interface Item {
    /** A wire handle. */
    record Handle(long interfaceCookie, long objectCookie) {}

    /** The TCP connection is being opened. */
    record Open() implements Item {}

    /** The connection request at the start. */
    record Request(ConnectionRequest request) implements Item {}

    /** A hello. */
    record Greeting(Hello hello) implements Item {}

    /** A frame without a message. */
    record Noop(ProtocolVersion version, long cookie0, long cookie1, boolean checksummed) implements Item {}

    /**
     * A message.
     *
     * @param checksummed whether the frame has a checksum; the reader has verified it
     */
    record Message(
            ProtocolVersion version, LNetHeader header, byte[] payload, long cookie0, long cookie1, boolean checksummed)
            implements Item {
        /** Tells whether it is a PUT or GET, not an answer to one. */
        public boolean isRequest() {
            return header.type() == MessageType.PUT || header.type() == MessageType.GET;
        }

        /** Returns its wire handle. */
        public Handle handle() {
            return new Handle(header.interfaceCookie(), header.objectCookie());
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s %s -> %s, %d bytes, handle %016x.%016x, match bits %016x, payload %s",
                    header.type(),
                    header.srcNid(),
                    header.destNid(),
                    header.payloadLength(),
                    header.interfaceCookie(),
                    header.objectCookie(),
                    header.matchBits(),
                    HexFormat.of().formatHex(payload, 0, Math.min(payload.length, 80)));
        }
    }

    /**
     * Nothing more comes from this side.
     *
     * @param how in words
     */
    record End(String how) implements Item {}
}
