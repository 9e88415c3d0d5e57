package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.roce.wire.Bth.BE16;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.verbs.card.memory.MemoryPiece;

/**
 * The checksum of what no router changes (spec 23 §5.2): a CRC-32 over eight bytes of ones, the IP and UDP headers with
 * what routers change set to ones, and the datagram. Those headers are written into memory of its own, so that
 * datagrams may lie side by side. Not thread-safe.
 *
 * <p>A socket does not tell the identification in the IP header of what it received. {@link #identification} solves for
 * it: of the 32 bits of the checksum, 16 remain that have to fit. A CRC is linear, so that one table for each power of
 * two carries a difference as many bytes back.
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

    /** Bytes that count in front of a datagram. */
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

    /** Tables that carry a difference 1, 2, 4 … bytes back. The sum of these is more than any packet has. */
    private static final int POWERS = 13;

    private static final int BYTE_VALUES = 256;
    private static final int TABLE = Integer.BYTES * BYTE_VALUES;
    private static final int[] BACK = tablesBack();

    /** How many identifications of a route and length are kept: those of the segments of one message. */
    private static final int IDENTIFICATIONS = Long.SIZE;

    /** Routes and lengths that are kept. */
    private static final int KEPT_BITS = 5;

    private static final int KEPT = 1 << KEPT_BITS;

    /** Spreads routes over places. */
    private static final int SPREAD = 0x9E37_79B1;

    /**
     * Spreads lengths over places, so that those that a connection mixes never meet: acknowledgements, messages of LNet
     * with and without small payloads, and packets full of data.
     */
    private static final int LENGTH_SPREAD = 0x49C5_C8E9;

    private static final UdpRoute NO_ROUTE = new UdpRoute(0, 0, 0, 0);

    /**
     * What the headers in front add to the CRC-32 of the datagram alone: a CRC is linear, so that this is the same for
     * all datagrams of one route and length, by the identification. What routers may change is 0 in them.
     */
    private static final class Added {
        final int[] values = new int[IDENTIFICATIONS];
        UdpRoute route = NO_ROUTE;
        int length;

        /** A bit for each value that is known. */
        long known;
    }

    private final CRC32 crc = new CRC32();
    private final Added[] added = new Added[KEPT];

    /** The headers in front of a datagram, and its own with the byte masked that routers may change. */
    private final MemorySegment head = Arena.ofAuto().allocate(PREFIX + Bth.BYTES, Long.BYTES);

    private final ByteBuffer headBytes = head.asByteBuffer();

    /** A part of the datagram that is not where the rest is, null if all of it is, and where in that it belongs. */
    private @Nullable MemoryPiece outside;

    private int outsideAt;

    Icrc() {
        head.fill(ONES);
        VERSION.set(head, 0L, VERSION_4);
        FRAGMENT.set(head, 0L, DO_NOT_FRAGMENT);
        HOPS.set(head, 0L, UDP);
        for (int i = 0; i < KEPT; i++) {
            added[i] = new Added();
        }
    }

    /**
     * Makes the tables: for each power of two, and in it for each byte of a difference, what it becomes by the value of
     * the byte.
     */
    private static int[] tablesBack() {
        int[] tables = new int[POWERS * TABLE];
        for (int i = 0; i < TABLE; i++) {
            tables[i] = byteBack(i % BYTE_VALUES << Byte.SIZE * (i / BYTE_VALUES));
        }
        for (int i = TABLE; i < tables.length; i++) {
            int before = i / TABLE - 1;
            tables[i] = back(tables, before, tables[i - TABLE]);
        }
        return tables;
    }

    /** Takes one byte of zeros back from a difference, bit by bit. */
    private static int byteBack(int difference) {
        int value = difference;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            // The polynomial has its highest bit set: whether it was added can be seen.
            value = value < 0 ? (value ^ POLYNOMIAL) << 1 | 1 : value << 1;
        }
        return value;
    }

    private static int back(int[] tables, int power, int difference) {
        int table = power * TABLE;
        return tables[table + (difference & 0xFF)]
                ^ tables[table + BYTE_VALUES + (difference >>> 8 & 0xFF)]
                ^ tables[table + 2 * BYTE_VALUES + (difference >>> 16 & 0xFF)]
                ^ tables[table + 3 * BYTE_VALUES + (difference >>> 24)];
    }

    /**
     * Says that a part of the packets from now on is not where the rest is.
     *
     * @param piece where it is; null for nowhere else
     * @param at where in the memory of the packet it belongs
     */
    void outside(@Nullable MemoryPiece piece, int at) {
        outside = piece;
        outsideAt = at;
    }

    /**
     * Computes the checksum of a packet.
     *
     * @param memory where it is
     * @param bytes the same memory; its limits change
     * @param start where the datagram begins there
     * @param length of the datagram, with the checksum behind it; at least a header and a checksum
     * @param identification what the IP header says, 16 bits
     */
    int of(MemorySegment memory, ByteBuffer bytes, int start, int length, UdpRoute route, int identification) {
        if (identification >= IDENTIFICATIONS || Bth.variant(memory, start) != 0) {
            return whole(memory, bytes, start, length, route, identification);
        }
        Added with = added[place(route, length)];
        if (with.length != length || !with.route.equals(route)) {
            // Only what comes again is worth its cost.
            with.route = route;
            with.length = length;
            with.known = 0;
            return whole(memory, bytes, start, length, route, identification);
        }
        long bit = 1L << identification;
        if ((with.known & bit) == 0) {
            int result = whole(memory, bytes, start, length, route, identification);
            with.values[identification] = result ^ alone(bytes, start, length);
            with.known |= bit;
            return result;
        }
        return with.values[identification] ^ alone(bytes, start, length);
    }

    /** Returns where the values of a route and length are kept. */
    static int place(UdpRoute route, int length) {
        int spread = (route.destinationIp() + route.sourceIp()) * SPREAD + length * LENGTH_SPREAD;
        return spread >>> Integer.SIZE - KEPT_BITS;
    }

    /** Returns the CRC-32 of a datagram. */
    private int alone(ByteBuffer bytes, int start, int length) {
        crc.reset();
        add(bytes, start, start + length - BYTES);
        return (int) crc.getValue();
    }

    private void add(ByteBuffer bytes, int from, int end) {
        MemoryPiece piece = outside;
        if (piece == null) {
            crc.update(bytes.clear().limit(end).position(from));
            return;
        }
        crc.update(bytes.clear().limit(outsideAt).position(from));
        crc.update(piece.bytes().clear().limit(piece.start() + piece.length()).position(piece.start()));
        crc.update(bytes.clear().limit(end).position(outsideAt + piece.length()));
    }

    private int whole(
            MemorySegment memory, ByteBuffer bytes, int start, int length, UdpRoute route, int identification) {
        TOTAL_LENGTH.set(head, 0L, (short) (IP_BYTES + UDP_BYTES + length));
        IDENTIFICATION.set(head, 0L, (short) identification);
        SOURCE_IP.set(head, 0L, route.sourceIp());
        DESTINATION_IP.set(head, 0L, route.destinationIp());
        SOURCE_PORT.set(head, 0L, (short) route.sourcePort());
        DESTINATION_PORT.set(head, 0L, (short) route.destinationPort());
        UDP_LENGTH.set(head, 0L, (short) (UDP_BYTES + length));
        MemorySegment.copy(memory, start, head, PREFIX, Bth.BYTES);
        Bth.setVariant(head, PREFIX, ONES);
        crc.reset();
        crc.update(headBytes.clear());
        add(bytes, start + Bth.BYTES, start + length - BYTES);
        return (int) crc.getValue();
    }

    /**
     * Returns the identification with which a checksum is right, if the one that was assumed was 0; otherwise the bits
     * in which they differ.
     *
     * @param computed what {@link #of} says with the identification that was assumed
     * @param found what the packet says
     * @param datagram length of the datagram, with the checksum; less than 8 KiB
     * @return −1 if there is none: the packet was damaged
     */
    static int identification(int computed, int found, int datagram) {
        int difference = computed ^ found;
        if (difference == 0) {
            return 0;
        }
        // Back to where the identification is.
        int left = PREFIX + datagram - BYTES - (int) IDENTIFICATION_AT;
        for (int power = 0; left > 0; power++, left >>>= 1) {
            if ((left & 1) != 0) {
                difference = back(BACK, power, difference);
            }
        }
        return difference >>> 16 == 0 ? (difference & 0xFF) << 8 | difference >>> 8 : -1;
    }
}
