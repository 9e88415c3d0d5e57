package org.railyard.roce.wire;

import static org.railyard.lnet.wire.Wire.BE32;
import static org.railyard.roce.wire.Bth.BE16;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.railyard.lnet.wire.Wire;

/**
 * The checksum of what no router changes (spec 23 §5.2): a CRC-32 over eight bytes of ones, the IP and UDP headers with what routers change set to ones,
 * and the datagram. Those headers are written in front of the datagram for it. Not thread-safe.
 *
 * <p>A socket does not tell the identification in the IP header of what it received. {@link #identification} solves for it: of the 32 bits of the
 * checksum, 16 remain that have to fit.
 */
final class Icrc {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("ones"),
                    BE16.withName("versionAndService"),
                    BE16.withName("totalLength"),
                    BE16.withName("identification"),
                    BE16.withName("fragment"),
                    BE16.withName("hopsAndProtocol"),
                    BE16.withName("ipChecksum"),
                    BE32.withName("sourceIp"),
                    BE32.withName("destinationIp"),
                    BE16.withName("sourcePort"),
                    BE16.withName("destinationPort"),
                    BE16.withName("udpLength"),
                    BE16.withName("udpChecksum"))
            .withName("masked headers");

    /** Bytes that have to be free in front of a datagram. */
    static final int PREFIX = (int) LAYOUT.byteSize();

    /** Bytes of the checksum behind a datagram. */
    static final int BYTES = 4;

    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final VarHandle TOTAL_LENGTH = Wire.field(LAYOUT, "totalLength");
    private static final VarHandle IDENTIFICATION = Wire.field(LAYOUT, "identification");
    private static final VarHandle FRAGMENT = Wire.field(LAYOUT, "fragment");
    private static final VarHandle HOPS = Wire.field(LAYOUT, "hopsAndProtocol");
    private static final VarHandle VERSION = Wire.field(LAYOUT, "versionAndService");
    private static final VarHandle SOURCE_IP = Wire.field(LAYOUT, "sourceIp");
    private static final VarHandle DESTINATION_IP = Wire.field(LAYOUT, "destinationIp");
    private static final VarHandle SOURCE_PORT = Wire.field(LAYOUT, "sourcePort");
    private static final VarHandle DESTINATION_PORT = Wire.field(LAYOUT, "destinationPort");
    private static final VarHandle UDP_LENGTH = Wire.field(LAYOUT, "udpLength");
    private static final long IDENTIFICATION_AT = Wire.offsetOf(LAYOUT, "identification");

    /** IPv4 without options; the class of service masked. */
    private static final short VERSION_4 = 0x45FF;

    private static final short DO_NOT_FRAGMENT = 0x4000;

    /** The hops masked; UDP. */
    private static final short UDP = (short) 0xFF11;

    private static final byte ONES = (byte) 0xFF;
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final int[] STEPS = steps();
    private static final byte[] STEP_BY_HIGH_BYTE = byHighByte();

    private final CRC32 crc = new CRC32();

    private static int[] steps() {
        int[] steps = new int[256];
        for (int i = 0; i < steps.length; i++) {
            int value = i;
            for (int bit = 0; bit < 8; bit++) {
                value = value >>> 1 ^ ((value & 1) == 0 ? 0 : POLYNOMIAL);
            }
            steps[i] = value;
        }
        return steps;
    }

    private static byte[] byHighByte() {
        byte[] places = new byte[256];
        for (int i = 0; i < places.length; i++) {
            places[STEPS[i] >>> 24] = (byte) i;
        }
        return places;
    }

    /** Sets what never changes in the space in front of a datagram. */
    static void prepare(MemorySegment frame) {
        frame.asSlice(0, PREFIX).fill(ONES);
        VERSION.set(frame, 0L, VERSION_4);
        FRAGMENT.set(frame, 0L, DO_NOT_FRAGMENT);
        HOPS.set(frame, 0L, UDP);
    }

    /**
     * Computes the checksum of a packet, of which the IP header has identification 0.
     *
     * @param frame memory with {@link #PREFIX} bytes in front of the datagram
     * @param bytes the same memory
     * @param datagram length of the datagram, with the checksum behind it
     */
    int of(MemorySegment frame, ByteBuffer bytes, int datagram, Route route) {
        TOTAL_LENGTH.set(frame, 0L, (short) (IP_BYTES + UDP_BYTES + datagram));
        IDENTIFICATION.set(frame, 0L, (short) 0);
        SOURCE_IP.set(frame, 0L, route.sourceIp());
        DESTINATION_IP.set(frame, 0L, route.destinationIp());
        SOURCE_PORT.set(frame, 0L, (short) route.sourcePort());
        DESTINATION_PORT.set(frame, 0L, (short) route.destinationPort());
        UDP_LENGTH.set(frame, 0L, (short) (UDP_BYTES + datagram));
        byte variant = Bth.variant(frame, PREFIX);
        Bth.setVariant(frame, PREFIX, ONES);
        crc.reset();
        bytes.clear().limit(PREFIX + datagram - BYTES);
        crc.update(bytes);
        Bth.setVariant(frame, PREFIX, variant);
        return (int) crc.getValue();
    }

    /**
     * Returns the identification with which a checksum is right.
     *
     * @param computed what {@link #of} says
     * @param found what the packet says
     * @param datagram length of the datagram, with the checksum
     * @return −1 if there is none: the packet was damaged
     */
    static int identification(int computed, int found, int datagram) {
        int difference = computed ^ found;
        if (difference == 0) {
            return 0;
        }
        // The difference, carried back to where the identification is: a CRC is linear.
        for (long left = PREFIX + datagram - BYTES - IDENTIFICATION_AT; left > 0; left--) {
            int step = STEP_BY_HIGH_BYTE[difference >>> 24] & 0xFF;
            difference = (difference ^ STEPS[step]) << 8 | step;
        }
        return difference >>> 16 == 0 ? (difference & 0xFF) << 8 | difference >>> 8 : -1;
    }
}
