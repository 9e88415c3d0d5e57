package org.railyard.lnet.wire;

import org.jspecify.annotations.Nullable;

/** Kinds of LNet message (spec 01 §3.3). The ordinal is the number on the wire. */
public enum MessageType {
    ACK(28),
    PUT(40),
    GET(36),
    REPLY(16),
    /** Only inside the V1 handshake of socklnd. */
    HELLO(12);

    private static final MessageType[] VALUES = values();

    private final int bodyLength;

    MessageType(int bodyLength) {
        this.bodyLength = bodyLength;
    }

    /** Returns the number on the wire. */
    public int number() {
        return ordinal();
    }

    /** Returns how many of the 40 body bytes the type uses. */
    public int bodyLength() {
        return bodyLength;
    }

    /** Returns the type with the given number, or null if there is none. */
    public static @Nullable MessageType ofNumber(int number) {
        return number < 0 || number >= VALUES.length ? null : VALUES[number];
    }
}
