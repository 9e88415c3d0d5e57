package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/** The header of an acknowledgement: how it went, and how many messages are complete. */
public final class Aeth {
    /** All is well; nothing is said of credits. */
    public static final int ACK = 0x1F;

    /** No receive is posted: the sender is to wait, how long is in the low 5 bits. */
    public static final int RECEIVER_NOT_READY = 0x20;

    /** A packet is missing. */
    public static final int SEQUENCE_ERROR = 0x60;

    /** The packet does not fit in what came before, or the message in the memory for it, or is not carried out. */
    public static final int INVALID_REQUEST = 0x61;

    /** The remote key or address is wrong. */
    public static final int ACCESS_ERROR = 0x62;

    /** The message could not be carried out. */
    public static final int OPERATION_ERROR = 0x63;

    private static final StructLayout LAYOUT =
            MemoryLayout.structLayout(BE32.withName("syndromeAndMsn")).withName("aeth");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    private static final VarHandle WORD = Wire.field(LAYOUT, "syndromeAndMsn");
    private static final int MSN_BITS = 24;
    private static final int KIND_MASK = 0x60;
    private static final int DETAIL_MASK = 0x1F;

    /** How long to wait, by the code in an RNR NAK, in units of 10 µs. */
    private static final int[] RNR_DELAYS = {
        65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072,
        4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768, 49_152
    };

    private static final long RNR_UNIT_NANOS = 10_000;

    private Aeth() {}

    static void write(MemorySegment to, long at, int syndrome, int msn) {
        WORD.set(to, at, syndrome << MSN_BITS | msn & Psn.MASK);
    }

    static int syndrome(MemorySegment from, long at) {
        return (int) WORD.get(from, at) >>> MSN_BITS;
    }

    static int msn(MemorySegment from, long at) {
        return (int) WORD.get(from, at) & Psn.MASK;
    }

    /** Tells whether a syndrome says that all is well, with or without credits. */
    public static boolean isAck(int syndrome) {
        return (syndrome & KIND_MASK) == 0;
    }

    /** Tells whether a syndrome says that no receive is posted. */
    public static boolean isReceiverNotReady(int syndrome) {
        return (syndrome & KIND_MASK) == RECEIVER_NOT_READY;
    }

    /** Returns how long an RNR NAK asks to wait, ns. */
    public static long rnrNanos(int syndrome) {
        return RNR_DELAYS[syndrome & DETAIL_MASK] * RNR_UNIT_NANOS;
    }
}
