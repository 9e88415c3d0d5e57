package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.railyard.base.wire.Wire;

/** The base transport header, with which every packet begins. */
final class Bth {
    static final ValueLayout.OfShort BE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    ValueLayout.JAVA_BYTE.withName("opcode"),
                    ValueLayout.JAVA_BYTE.withName("flags"),
                    BE16.withName("partition"),
                    ValueLayout.JAVA_BYTE.withName("variant"),
                    MemoryLayout.paddingLayout(3),
                    BE32.withName("ackAndPsn"))
            .withName("bth");

    /** The same place, as one word: what routers may change in its first byte, then the number of the queue pair. */
    private static final StructLayout WORDS = MemoryLayout.structLayout(
            MemoryLayout.paddingLayout(4), BE32.withName("destination"), MemoryLayout.paddingLayout(4));

    static final int BYTES = (int) LAYOUT.byteSize();

    /** The only partition there is. */
    private static final short DEFAULT_PARTITION = (short) 0xFFFF;

    private static final VarHandle OPCODE = Wire.field(LAYOUT, "opcode");
    private static final VarHandle FLAGS = Wire.field(LAYOUT, "flags");
    private static final VarHandle PARTITION = Wire.field(LAYOUT, "partition");
    private static final VarHandle VARIANT = Wire.field(LAYOUT, "variant");
    private static final VarHandle DESTINATION = Wire.field(WORDS, "destination");
    private static final VarHandle ACK_AND_PSN = Wire.field(LAYOUT, "ackAndPsn");
    private static final int ACK = 1 << 31;
    private static final int PAD_SHIFT = 4;
    private static final int PAD_MASK = 3;
    private static final int VERSION_MASK = 0xF;

    private Bth() {}

    /** Writes it; nothing that routers may change is set, and no padding. */
    static void write(
            MemorySegment to, long at, Opcode opcode, int flags, int destinationQp, boolean wantsAck, int psn) {
        OPCODE.set(to, at, (byte) opcode.code());
        FLAGS.set(to, at, (byte) flags);
        PARTITION.set(to, at, DEFAULT_PARTITION);
        DESTINATION.set(to, at, destinationQp & Psn.MASK);
        ACK_AND_PSN.set(to, at, psn & Psn.MASK | (wantsAck ? ACK : 0));
    }

    static int opcode(MemorySegment from, long at) {
        return (byte) OPCODE.get(from, at) & 0xFF;
    }

    static int flags(MemorySegment from, long at) {
        return (byte) FLAGS.get(from, at) & 0xFF;
    }

    static int pad(int flags) {
        return flags >> PAD_SHIFT & PAD_MASK;
    }

    static int withPad(int flags, int pad) {
        return flags & ~(PAD_MASK << PAD_SHIFT) | pad << PAD_SHIFT;
    }

    static void setFlags(MemorySegment to, long at, int flags) {
        FLAGS.set(to, at, (byte) flags);
    }

    static int version(int flags) {
        return flags & VERSION_MASK;
    }

    static boolean isDefaultPartition(MemorySegment from, long at) {
        return (short) PARTITION.get(from, at) == DEFAULT_PARTITION;
    }

    static void setVariant(MemorySegment to, long at, byte value) {
        VARIANT.set(to, at, value);
    }

    static byte variant(MemorySegment from, long at) {
        return (byte) VARIANT.get(from, at);
    }

    static int destinationQp(MemorySegment from, long at) {
        return (int) DESTINATION.get(from, at) & Psn.MASK;
    }

    static boolean wantsAck(MemorySegment from, long at) {
        return (int) ACK_AND_PSN.get(from, at) < 0;
    }

    static int psn(MemorySegment from, long at) {
        return (int) ACK_AND_PSN.get(from, at) & Psn.MASK;
    }
}
