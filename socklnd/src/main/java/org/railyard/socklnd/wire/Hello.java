package org.railyard.socklnd.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.NidWire;

/**
 * The HELLO that both ends exchange behind the connection request, in its four versions (spec 02 §3). Immutable.
 *
 * <p>V1 carries neither a destination NID nor a destination incarnation: they are {@link Nid#ANY} and 0 here.
 *
 * @param order byte order of the sender; V1 is always little-endian
 * @param version the version, which decides the layout
 * @param srcNid NID of the sender
 * @param dstNid NID of the receiver, as the sender believes
 * @param srcPid process id of the sender
 * @param dstPid process id of the receiver; senders write 0
 * @param srcIncarnation incarnation of the sender's NI
 * @param dstIncarnation incarnation of the receiver's NI; senders write 0
 * @param typeNumber number of the connection type, known or not, see {@link #type()}
 * @param ips IPv4 addresses that nodes before 2.15 may list, at most {@link #MAX_IPS}, none 0
 */
public record Hello(
        ByteOrder order,
        ProtocolVersion version,
        Nid srcNid,
        Nid dstNid,
        int srcPid,
        int dstPid,
        long srcIncarnation,
        long dstIncarnation,
        int typeNumber,
        List<Integer> ips) {

    /** Most addresses that a HELLO may list. */
    public static final int MAX_IPS = 16;

    /** Version 1; the addresses follow. It looks like an LNet header of type HELLO. */
    public static final StructLayout V1 = MemoryLayout.structLayout(
                    LE32.withName("magic"),
                    LE32.withName("version"),
                    LE64.withName("src_nid"),
                    LE32.withName("dest_pid"),
                    LE32.withName("src_pid"),
                    LE32.withName("type"),
                    LE32.withName("payload_length"),
                    LE64.withName("incarnation"),
                    LE32.withName("ctype"),
                    MemoryLayout.sequenceLayout(28, ValueLayout.JAVA_BYTE).withName("zero"))
            .withName("ksock_hello_v1");

    /** Versions 2 and 3; the addresses follow. */
    public static final StructLayout V2 = MemoryLayout.structLayout(
                    LE32.withName("magic"),
                    LE32.withName("version"),
                    LE64.withName("src_nid"),
                    LE64.withName("dst_nid"),
                    LE32.withName("src_pid"),
                    LE32.withName("dst_pid"),
                    LE64.withName("src_incarnation"),
                    LE64.withName("dst_incarnation"),
                    LE32.withName("ctype"),
                    LE32.withName("nips"))
            .withName("ksock_hello_msg_nid4");

    /** Version 4; no addresses follow. */
    public static final StructLayout V4 = MemoryLayout.structLayout(
                    LE32.withName("magic"),
                    LE32.withName("version"),
                    NidWire.LARGE.withName("src_nid"),
                    NidWire.LARGE.withName("dst_nid"),
                    LE32.withName("src_pid"),
                    LE32.withName("dst_pid"),
                    LE64.withName("src_incarnation"),
                    LE64.withName("dst_incarnation"),
                    LE32.withName("ctype"),
                    LE32.withName("nips"))
            .withName("ksock_hello_msg");

    /** Bytes of magic and version, which tell how many follow. */
    public static final int PREFIX_BYTES = (int) Wire.offsetOf(V2, "src_nid");

    /** Bytes of the longest HELLO. */
    public static final int MAX_BYTES = (int) V1.byteSize() + MAX_IPS * Integer.BYTES;

    private static final long VERSION = Wire.offsetOf(V2, "version");
    private static final long V1_BYTES = V1.byteSize();

    private static final VarHandle V1_SRC_NID = Wire.field(V1, "src_nid");
    private static final VarHandle V1_DST_PID = Wire.field(V1, "dest_pid");
    private static final VarHandle V1_SRC_PID = Wire.field(V1, "src_pid");
    private static final VarHandle V1_TYPE = Wire.field(V1, "type");
    private static final VarHandle V1_PAYLOAD = Wire.field(V1, "payload_length");
    private static final VarHandle V1_INCARNATION = Wire.field(V1, "incarnation");
    private static final VarHandle V1_CTYPE = Wire.field(V1, "ctype");
    private static final long V1_ZERO = Wire.offsetOf(V1, "zero");

    private static final long V2_SRC_NID = Wire.offsetOf(V2, "src_nid");
    private static final long V2_DST_NID = Wire.offsetOf(V2, "dst_nid");
    private static final long V4_SRC_NID = Wire.offsetOf(V4, "src_nid");
    private static final long V4_DST_NID = Wire.offsetOf(V4, "dst_nid");

    /** What follows the NIDs, the same from V2 up. */
    private static final StructLayout TAIL = MemoryLayout.structLayout(
            LE32.withName("src_pid"),
            LE32.withName("dst_pid"),
            LE64.withName("src_incarnation"),
            LE64.withName("dst_incarnation"),
            LE32.withName("ctype"),
            LE32.withName("nips"));

    private static final long V2_TAIL = Wire.offsetOf(V2, "src_pid");
    private static final long V4_TAIL = Wire.offsetOf(V4, "src_pid");
    private static final long SRC_PID = Wire.offsetOf(TAIL, "src_pid");
    private static final long DST_PID = Wire.offsetOf(TAIL, "dst_pid");
    private static final long SRC_INCARNATION = Wire.offsetOf(TAIL, "src_incarnation");
    private static final long DST_INCARNATION = Wire.offsetOf(TAIL, "dst_incarnation");
    private static final long CTYPE = Wire.offsetOf(TAIL, "ctype");
    private static final long NIPS = Wire.offsetOf(TAIL, "nips");

    /** Copies the addresses and checks that the version can carry everything. */
    public Hello {
        ips = List.copyOf(ips);
        if (ips.size() > MAX_IPS || ips.contains(0) || version == ProtocolVersion.V4 && !ips.isEmpty()) {
            throw new IllegalArgumentException(version + " hello with addresses " + ips + ", expected up to " + MAX_IPS
                    + ", none 0, and none at all on V4");
        }
        if (version == ProtocolVersion.V1 && order != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalArgumentException("V1 hello in big-endian order, expected little-endian");
        }
        if (!version.largeNids() && !(srcNid.isNid4() && dstNid.isNid4())) {
            throw new IllegalArgumentException(
                    version + " hello with NIDs " + srcNid + " and " + dstNid + ", expected four-byte addresses");
        }
    }

    /** Returns a HELLO as this node sends it: little-endian, without addresses. */
    public static Hello of(
            ProtocolVersion version,
            Nid srcNid,
            Nid dstNid,
            int srcPid,
            int dstPid,
            long srcIncarnation,
            long dstIncarnation,
            ConnectionType type) {
        return new Hello(
                ByteOrder.LITTLE_ENDIAN,
                version,
                srcNid,
                version == ProtocolVersion.V1 ? Nid.ANY : dstNid,
                srcPid,
                dstPid,
                srcIncarnation,
                version == ProtocolVersion.V1 ? 0 : dstIncarnation,
                type.number(),
                List.of());
    }

    /** Returns the connection type as the sender sees it, or null if the number is unknown. */
    public @Nullable ConnectionType type() {
        return ConnectionType.ofNumber(typeNumber);
    }

    /** Returns the bytes this HELLO takes, addresses included. */
    public int bytes() {
        return version.helloBytes() + ips.size() * Integer.BYTES;
    }

    /**
     * Returns the byte order of a HELLO whose first {@link Magic#BYTES} are there.
     *
     * @throws WireFormatException if it is no HELLO
     */
    public static ByteOrder orderAt(MemorySegment from, long at) throws WireFormatException {
        Ordered.requireBytes("hello magic", from.byteSize() - at, Magic.BYTES);
        int magic = Magic.read(from, at);
        if (magic == Magic.TCP) {
            return ByteOrder.LITTLE_ENDIAN;
        }
        ByteOrder order = Magic.orderOf(magic, Magic.LNET);
        if (order == null) {
            throw new WireFormatException("hello has magic 0x" + Integer.toHexString(magic) + ", expected 0x"
                    + Integer.toHexString(Magic.LNET) + " in either byte order, or 0x"
                    + Integer.toHexString(Magic.TCP));
        }
        return order;
    }

    /**
     * Returns the version of a HELLO whose first {@link #PREFIX_BYTES} are there, or null if it is one that does not
     * exist; the magic of V1 goes with no other version, and V1 with no other magic.
     *
     * @throws WireFormatException if it is no HELLO
     */
    public static @Nullable ProtocolVersion versionAt(MemorySegment from, long at) throws WireFormatException {
        ByteOrder order = orderAt(from, at);
        Ordered.requireBytes("hello prefix", from.byteSize() - at, PREFIX_BYTES);
        ProtocolVersion version = ProtocolVersion.ofNumber(versionNumberAt(from, at, order));
        boolean first = Magic.read(from, at) == Magic.TCP;
        return version != null && first == (version == ProtocolVersion.V1) ? version : null;
    }

    /**
     * Returns the version number of a HELLO whose first {@link #PREFIX_BYTES} are there. V1: minor number in the upper
     * half.
     */
    public static int versionNumberAt(MemorySegment from, long at, ByteOrder order) {
        return Ordered.inOrder(from.get(LE32, at + VERSION), order);
    }

    /**
     * Returns the bytes of a HELLO with its addresses, once the part without them is there.
     *
     * @throws WireFormatException if it lists more than {@link #MAX_IPS} addresses, or addresses where there can be
     *     none
     */
    public static int bytesAt(MemorySegment from, long at, ProtocolVersion version, ByteOrder order)
            throws WireFormatException {
        int length;
        if (version == ProtocolVersion.V1) {
            length = (int) V1_PAYLOAD.get(from, at);
            if (length < 0 || length > MAX_IPS * Integer.BYTES || length % Integer.BYTES != 0) {
                throw new WireFormatException("V1 hello has a payload of " + Integer.toUnsignedString(length)
                        + " bytes, expected a multiple of 4 up to " + MAX_IPS * Integer.BYTES);
            }
        } else {
            int count = Ordered.getInt(from, at + tail(version) + NIPS, order);
            int limit = version == ProtocolVersion.V4 ? 0 : MAX_IPS;
            if (count < 0 || count > limit) {
                throw new WireFormatException(version + " hello lists " + Integer.toUnsignedString(count)
                        + " addresses, expected up to " + limit);
            }
            length = count * Integer.BYTES;
        }
        return version.helloBytes() + length;
    }

    private static long tail(ProtocolVersion version) {
        return version.largeNids() ? V4_TAIL : V2_TAIL;
    }

    /**
     * Reads a HELLO of any version, in either byte order. The connection type may be unknown.
     *
     * @throws WireFormatException if magic or version is unknown, a NID is malformed, the addresses are too many or one
     *     is 0, or bytes are missing
     */
    public static Hello read(MemorySegment from, long at) throws WireFormatException {
        ByteOrder order = orderAt(from, at);
        ProtocolVersion version = versionAt(from, at);
        if (version == null) {
            throw new WireFormatException(
                    "hello has version " + Integer.toUnsignedString(versionNumberAt(from, at, order))
                            + ", expected 1 with its own magic, or 2, 3 or 4");
        }
        Ordered.requireBytes("hello", from.byteSize() - at, version.helloBytes());
        int bytes = bytesAt(from, at, version, order);
        Ordered.requireBytes("hello with addresses", from.byteSize() - at, bytes);
        List<Integer> ips =
                readIps(from, at + version.helloBytes(), (bytes - version.helloBytes()) / Integer.BYTES, order);
        return version == ProtocolVersion.V1 ? readFirst(from, at, ips) : readLater(from, at, version, order, ips);
    }

    private static List<Integer> readIps(MemorySegment from, long at, int count, ByteOrder order)
            throws WireFormatException {
        List<Integer> ips = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int ip = Ordered.inOrder(from.get(LE32, at + (long) i * Integer.BYTES), order);
            if (ip == 0) {
                throw new WireFormatException(
                        "hello lists address 0.0.0.0 in place " + i + ", expected real addresses");
            }
            ips.add(ip);
        }
        return ips;
    }

    private static Hello readFirst(MemorySegment from, long at, List<Integer> ips) throws WireFormatException {
        int type = (int) V1_TYPE.get(from, at);
        if (type != MessageType.HELLO.number()) {
            throw new WireFormatException(
                    "V1 hello has message type " + Integer.toUnsignedString(type) + ", expected 4 HELLO");
        }
        return new Hello(
                ByteOrder.LITTLE_ENDIAN,
                ProtocolVersion.V1,
                Nid4.of("src_nid", (long) V1_SRC_NID.get(from, at)),
                Nid.ANY,
                (int) V1_SRC_PID.get(from, at),
                (int) V1_DST_PID.get(from, at),
                (long) V1_INCARNATION.get(from, at),
                0,
                (int) V1_CTYPE.get(from, at),
                ips);
    }

    private static Hello readLater(
            MemorySegment from, long at, ProtocolVersion version, ByteOrder order, List<Integer> ips)
            throws WireFormatException {
        Nid srcNid;
        Nid dstNid;
        if (version.largeNids()) {
            srcNid = NidWire.readLarge(from, at + V4_SRC_NID, Nid.ANY);
            dstNid = NidWire.readLarge(from, at + V4_DST_NID, Nid.ANY);
        } else {
            srcNid = Nid4.of("src_nid", Ordered.getLong(from, at + V2_SRC_NID, order));
            dstNid = Nid4.of("dst_nid", Ordered.getLong(from, at + V2_DST_NID, order));
        }
        long tail = at + tail(version);
        return new Hello(
                order,
                version,
                srcNid,
                dstNid,
                Ordered.getInt(from, tail + SRC_PID, order),
                Ordered.getInt(from, tail + DST_PID, order),
                Ordered.getLong(from, tail + SRC_INCARNATION, order),
                Ordered.getLong(from, tail + DST_INCARNATION, order),
                Ordered.getInt(from, tail + CTYPE, order),
                ips);
    }

    /** Writes the HELLO in its byte order, {@link #bytes()} bytes. */
    public void write(MemorySegment to, long at) {
        to.set(LE32, at, Ordered.inOrder(version == ProtocolVersion.V1 ? Magic.TCP : Magic.LNET, order));
        to.set(LE32, at + VERSION, Ordered.inOrder(version.number(), order));
        if (version == ProtocolVersion.V1) {
            writeFirst(to, at);
        } else {
            writeLater(to, at);
        }
        long ip = at + version.helloBytes();
        for (int address : ips) {
            to.set(LE32, ip, Ordered.inOrder(address, order));
            ip += Integer.BYTES;
        }
    }

    private void writeFirst(MemorySegment to, long at) {
        V1_SRC_NID.set(to, at, srcNid.nid4());
        V1_DST_PID.set(to, at, dstPid);
        V1_SRC_PID.set(to, at, srcPid);
        V1_TYPE.set(to, at, MessageType.HELLO.number());
        V1_PAYLOAD.set(to, at, ips.size() * Integer.BYTES);
        V1_INCARNATION.set(to, at, srcIncarnation);
        V1_CTYPE.set(to, at, typeNumber);
        to.asSlice(at + V1_ZERO, V1_BYTES - V1_ZERO).fill((byte) 0);
    }

    private void writeLater(MemorySegment to, long at) {
        if (version.largeNids()) {
            NidWire.writeLarge(to, at + V4_SRC_NID, srcNid);
            NidWire.writeLarge(to, at + V4_DST_NID, dstNid);
        } else {
            Ordered.setLong(to, at + V2_SRC_NID, order, srcNid.nid4());
            Ordered.setLong(to, at + V2_DST_NID, order, dstNid.nid4());
        }
        long tail = at + tail(version);
        Ordered.setInt(to, tail + SRC_PID, order, srcPid);
        Ordered.setInt(to, tail + DST_PID, order, dstPid);
        Ordered.setLong(to, tail + SRC_INCARNATION, order, srcIncarnation);
        Ordered.setLong(to, tail + DST_INCARNATION, order, dstIncarnation);
        Ordered.setInt(to, tail + CTYPE, order, typeNumber);
        Ordered.setInt(to, tail + NIPS, order, ips.size());
    }
}
