package org.railyard.lnet.wire;

import org.jspecify.annotations.Nullable;

/** Kinds of LNet message (spec 01 §3.3). */
public enum MessageType {
    ACK(0),
    PUT(1),
    GET(2),
    REPLY(3),
    /** Only inside the V1 handshake of socklnd. */
    HELLO(4);

    private static final MessageType[] VALUES = values();

    private final int number;

    MessageType(int number) {
        this.number = number;
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the type with the given number, or null if there is none. */
    public static @Nullable MessageType ofNumber(int number) {
        return number < 0 || number >= VALUES.length ? null : VALUES[number];
    }
}
