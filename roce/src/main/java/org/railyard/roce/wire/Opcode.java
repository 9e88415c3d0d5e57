package org.railyard.roce.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a packet is: requests of a reliable connection and their acknowledgements, and the datagram of the connection
 * manager. Of requests those are carried out that the transport of LNet needs; the others are known so that their
 * senders can be told.
 */
public enum Opcode {
    /** The first of several packets of a SEND. */
    SEND_FIRST(0x00),
    /** One between the first and the last. */
    SEND_MIDDLE(0x01),
    /** The last of several. */
    SEND_LAST(0x02),
    /** The last of several, with immediate data; not carried out. */
    SEND_LAST_IMMEDIATE(0x03),
    /** The only one. */
    SEND_ONLY(0x04),
    /** The only one, with immediate data; not carried out. */
    SEND_ONLY_IMMEDIATE(0x05),
    /** The first of several packets of an RDMA WRITE. */
    WRITE_FIRST(0x06),
    /** One between the first and the last. */
    WRITE_MIDDLE(0x07),
    /** The last of several. */
    WRITE_LAST(0x08),
    /** The last of several, with immediate data; not carried out. */
    WRITE_LAST_IMMEDIATE(0x09),
    /** The only one. */
    WRITE_ONLY(0x0A),
    /** The only one, with immediate data; not carried out. */
    WRITE_ONLY_IMMEDIATE(0x0B),
    /** An RDMA READ; not carried out. */
    READ(0x0C),
    /** An acknowledgement, good or bad. */
    ACKNOWLEDGE(0x11),
    /** An atomic compare and swap; not carried out. */
    COMPARE_SWAP(0x13),
    /** An atomic fetch and add; not carried out. */
    FETCH_ADD(0x14),
    /** The last of several packets of a SEND that takes a key away; not carried out. */
    SEND_LAST_INVALIDATE(0x16),
    /** The only one of a SEND that takes a key away; not carried out. */
    SEND_ONLY_INVALIDATE(0x17),
    /** A packet of a reliable connection that has no meaning yet, 0x15 and 0x18 … 0x1F; not carried out. */
    RESERVED(0x15),
    /** An unreliable datagram. */
    DATAGRAM(0x64);

    private static final int CODES = 256;
    private static final int FIRST_RESERVED = 0x18;
    private static final int LAST_RESERVED = 0x1F;

    /** What comes with some opcodes that are not carried out, bytes. */
    private static final int IMMEDIATE_BYTES = 4;

    private static final int KEY_BYTES = 4;
    private static final int ATOMIC_BYTES = 28;

    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[CODES];

    static {
        for (Opcode each : values()) {
            BY_CODE[each.code] = each;
        }
        Arrays.fill(BY_CODE, FIRST_RESERVED, LAST_RESERVED + 1, RESERVED);
    }

    private final int code;

    Opcode(int code) {
        this.code = code;
    }

    /** Returns its number. */
    public int code() {
        return code;
    }

    /**
     * Returns the opcode with a number, 0 … 255; null if it is none of these: it is of another transport, answers what
     * is never asked, or is a datagram that nobody here expects.
     */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code];
    }

    /** Tells whether it is a packet of a SEND or an RDMA WRITE as they are carried out. */
    public boolean isCarriedOut() {
        return begins() || ends() || this == SEND_MIDDLE || this == WRITE_MIDDLE;
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
            case WRITE_FIRST, WRITE_ONLY, READ -> Reth.BYTES;
            case WRITE_ONLY_IMMEDIATE -> Reth.BYTES + IMMEDIATE_BYTES;
            case SEND_LAST_IMMEDIATE, SEND_ONLY_IMMEDIATE, WRITE_LAST_IMMEDIATE -> IMMEDIATE_BYTES;
            case SEND_LAST_INVALIDATE, SEND_ONLY_INVALIDATE -> KEY_BYTES;
            case COMPARE_SWAP, FETCH_ADD -> ATOMIC_BYTES;
            case ACKNOWLEDGE -> Aeth.BYTES;
            case DATAGRAM -> Deth.BYTES;
            default -> 0;
        };
    }
}
