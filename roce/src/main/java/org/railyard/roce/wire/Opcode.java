package org.railyard.roce.wire;

import org.jspecify.annotations.Nullable;

/**
 * What a packet is: those of a reliable connection that the transport of LNet needs, and the datagram of the connection
 * manager.
 */
public enum Opcode {
    /** The first of several packets of a SEND. */
    SEND_FIRST(0x00),
    /** One between the first and the last. */
    SEND_MIDDLE(0x01),
    /** The last of several. */
    SEND_LAST(0x02),
    /** The only one. */
    SEND_ONLY(0x04),
    /** The first of several packets of an RDMA WRITE. */
    WRITE_FIRST(0x06),
    /** One between the first and the last. */
    WRITE_MIDDLE(0x07),
    /** The last of several. */
    WRITE_LAST(0x08),
    /** The only one. */
    WRITE_ONLY(0x0A),
    /** An acknowledgement, good or bad. */
    ACKNOWLEDGE(0x11),
    /** An unreliable datagram. */
    DATAGRAM(0x64);

    private static final int CODES = 256;
    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[CODES];

    static {
        for (Opcode each : values()) {
            BY_CODE[each.code] = each;
        }
    }

    private final int code;

    Opcode(int code) {
        this.code = code;
    }

    /** Returns its number. */
    public int code() {
        return code;
    }

    /** Returns the opcode with a number, 0 … 255; null if it is none of these. */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code];
    }

    /** Tells whether a message begins with it. */
    public boolean begins() {
        return this == SEND_FIRST || this == SEND_ONLY || this == WRITE_FIRST || this == WRITE_ONLY;
    }

    /** Tells whether a message ends with it. */
    public boolean ends() {
        return this == SEND_LAST || this == SEND_ONLY || this == WRITE_LAST || this == WRITE_ONLY;
    }

    /** Tells whether it is part of an RDMA WRITE. */
    public boolean isWrite() {
        return this == WRITE_FIRST || this == WRITE_MIDDLE || this == WRITE_LAST || this == WRITE_ONLY;
    }

    /** Returns the opcode of a packet of a SEND or an RDMA WRITE. */
    public static Opcode of(boolean write, boolean begins, boolean ends) {
        if (begins) {
            return write ? ends ? WRITE_ONLY : WRITE_FIRST : ends ? SEND_ONLY : SEND_FIRST;
        }
        return write ? ends ? WRITE_LAST : WRITE_MIDDLE : ends ? SEND_LAST : SEND_MIDDLE;
    }

    /** Returns how many bytes of headers there are between the base header and the payload. */
    public int extraHeaderBytes() {
        return switch (this) {
            case WRITE_FIRST, WRITE_ONLY -> Reth.BYTES;
            case ACKNOWLEDGE -> Aeth.BYTES;
            case DATAGRAM -> Deth.BYTES;
            default -> 0;
        };
    }
}
