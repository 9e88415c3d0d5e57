package org.railyard.o2iblnd.wire;

import org.jspecify.annotations.Nullable;

/** Types of messages (spec 20 §3.2). */
public enum KibType {
    /** Asks for a connection. */
    CONNREQ(0xC0, 56),
    /** Accepts it. */
    CONNACK(0xC1, 56),
    /** Says nothing, returns credits. */
    NOOP(0xD0, 48),
    /** A whole LNet message. */
    IMMEDIATE(0xD1, 120),
    /** Has a payload that is to be fetched for. */
    PUT_REQ(0xD2, 128),
    /** Ends a PUT_REQ without RDMA. */
    PUT_NAK(0xD3, 60),
    /** Tells where to write. */
    PUT_ACK(0xD4, 72),
    /** Was written. */
    PUT_DONE(0xD5, 60),
    /** Wants a payload, and tells where to write. */
    GET_REQ(0xD6, 136),
    /** Was written, or will not be. */
    GET_DONE(0xD7, 60);

    private static final int FIRST = 0xC0;
    private static final @Nullable KibType[] BY_CODE = byCode();

    private final int code;
    private final int minBytes;

    KibType(int code, int minBytes) {
        this.code = code;
        this.minBytes = minBytes;
    }

    private static @Nullable KibType[] byCode() {
        @Nullable KibType[] table = new @Nullable KibType[256 - FIRST];
        for (KibType type : values()) {
            table[type.code - FIRST] = type;
        }
        return table;
    }

    /** Returns the type with a code; null if there is none. */
    public static @Nullable KibType of(int code) {
        return code >= FIRST && code < FIRST + BY_CODE.length ? BY_CODE[code - FIRST] : null;
    }

    /** Returns its code on the wire. */
    public int code() {
        return code;
    }

    /** Returns how long a message of this type is at least, bytes with header. */
    public int minBytes() {
        return minBytes;
    }

    /** Tells whether an LNet header follows the message header. */
    public boolean hasLNetHeader() {
        return this == IMMEDIATE || this == PUT_REQ || this == GET_REQ;
    }

    /** Tells whether a descriptor is in it. */
    public boolean hasDescriptor() {
        return this == PUT_ACK || this == GET_REQ;
    }

    /** Tells whether parameters of the connection are in it. */
    public boolean hasParameters() {
        return this == CONNREQ || this == CONNACK;
    }

    /** Tells whether it takes one of the buffers that the peer has for whatever comes (spec 20 §9). */
    public boolean takesCredit() {
        return hasLNetHeader();
    }

    /** Tells whether the peer answers it, if only by the end of what it began (spec 20 §13.3). */
    public boolean awaitsAnswer() {
        return this == PUT_REQ || this == PUT_ACK || this == GET_REQ;
    }

    /** Tells whether it is a cookie and a status. */
    public boolean isCompletion() {
        return this == PUT_NAK || this == PUT_DONE || this == GET_DONE;
    }
}
