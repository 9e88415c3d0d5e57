package org.railyard.socklnd.wire;

import org.jspecify.annotations.Nullable;

/** What a connection is used for, seen by the one who says it (spec 02 §3.4). */
public enum ConnectionType {
    /** No connection: try again, or speak my version. */
    NONE(-1),
    /** Untyped. */
    ANY(0),
    /** Small messages. */
    CONTROL(1),
    /** Large data towards me; from me only acks and keepalives. */
    BULK_IN(2),
    /** Large data from me. */
    BULK_OUT(3);

    private final int number;

    ConnectionType(int number) {
        this.number = number;
    }

    /** Returns the type with the given number, or null if there is none. */
    public static @Nullable ConnectionType ofNumber(int number) {
        return switch (number) {
            case -1 -> NONE;
            case 0 -> ANY;
            case 1 -> CONTROL;
            case 2 -> BULK_IN;
            case 3 -> BULK_OUT;
            default -> null;
        };
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns what the other end calls this connection. */
    public ConnectionType inverted() {
        return switch (this) {
            case BULK_IN -> BULK_OUT;
            case BULK_OUT -> BULK_IN;
            case NONE, ANY, CONTROL -> this;
        };
    }
}
