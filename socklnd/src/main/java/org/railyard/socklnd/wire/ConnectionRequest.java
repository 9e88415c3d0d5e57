package org.railyard.socklnd.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.NidWire;

/**
 * The first structure on a TCP stream: which NI the caller wants (spec 02 §2.3). Version 1 carries a nid4 in 16 bytes,
 * version 2 a large NID in 28. Immutable.
 *
 * @param order byte order of magic, version and nid4
 * @param version 1 or 2
 * @param nid the wanted NID; version 1 with NID number 0 is the acceptor's refusal
 */
public record ConnectionRequest(ByteOrder order, int version, Nid nid) {
    /** Version 1. */
    public static final StructLayout V1 = MemoryLayout.structLayout(
                    LE32.withName("magic"), LE32.withName("version"), LE64.withName("nid"))
            .withName("acceptor_connreq");

    /** Version 2. */
    public static final StructLayout V2 = MemoryLayout.structLayout(
                    LE32.withName("magic"), LE32.withName("version"), NidWire.LARGE.withName("nid"))
            .withName("acceptor_connreq_v2");

    /** Bytes of magic and version, which tell how many follow. */
    public static final int PREFIX_BYTES = (int) Wire.offsetOf(V1, "nid");

    private static final long MAGIC = Wire.offsetOf(V1, "magic");
    private static final long VERSION = Wire.offsetOf(V1, "version");
    private static final long NID4 = Wire.offsetOf(V1, "nid");
    private static final long LARGE_NID = Wire.offsetOf(V2, "nid");
    private static final Nid NO_NID = Nid.ofNid4(0);

    /** Checks that the version exists and can carry the NID. */
    public ConnectionRequest {
        if (version != 1 && version != 2) {
            throw new IllegalArgumentException("connection request version " + version + ", expected 1 or 2");
        }
        if (version == 1 && !nid.isNid4()) {
            throw new IllegalArgumentException("NID " + nid + " does not fit into a connection request of version 1");
        }
    }

    /** Returns the request for a NID as this node sends it: version 1 if the NID fits, little-endian. */
    public static ConnectionRequest to(Nid nid) {
        return new ConnectionRequest(ByteOrder.LITTLE_ENDIAN, nid.isNid4() ? 1 : 2, nid);
    }

    /** Returns what an acceptor answers to a magic or version that it does not speak. */
    public static ConnectionRequest refusal() {
        return new ConnectionRequest(ByteOrder.LITTLE_ENDIAN, 1, NO_NID);
    }

    /** Tells whether this is an acceptor's refusal. */
    public boolean isRefusal() {
        return version == 1 && nid.equals(NO_NID);
    }

    /** Returns the bytes of a request of the given version, or 0 if there is no such version. */
    public static int bytes(int version) {
        return switch (version) {
            case 1 -> (int) V1.byteSize();
            case 2 -> (int) V2.byteSize();
            default -> 0;
        };
    }

    /** Returns the bytes this request takes: 16 or 28. */
    public int bytes() {
        return bytes(version);
    }

    /** Returns the version of a request whose first {@link #PREFIX_BYTES} are there, whether it exists or not. */
    public static int versionAt(MemorySegment from, long at, ByteOrder order) {
        return Ordered.inOrder(from.get(LE32, at + VERSION), order);
    }

    /**
     * Reads a request in either byte order.
     *
     * @throws WireFormatException if magic or version is unknown, the NID is malformed, or bytes are missing
     */
    public static ConnectionRequest read(MemorySegment from, long at) throws WireFormatException {
        Ordered.requireBytes("connection request", from.byteSize() - at, PREFIX_BYTES);
        int magic = Magic.read(from, at);
        ByteOrder order = Magic.orderOf(magic, Magic.ACCEPTOR);
        if (order == null) {
            throw new WireFormatException("connection request has magic 0x" + Integer.toHexString(magic)
                    + ", expected 0x" + Integer.toHexString(Magic.ACCEPTOR));
        }
        int version = versionAt(from, at, order);
        int bytes = bytes(version);
        if (bytes == 0) {
            throw new WireFormatException(
                    "connection request has version " + Integer.toUnsignedString(version) + ", expected 1 or 2");
        }
        Ordered.requireBytes("connection request", from.byteSize() - at, bytes);
        Nid nid = version == 1
                ? Nid4.of("nid", Ordered.getLong(from, at + NID4, order))
                : NidWire.readLarge(from, at + LARGE_NID, NO_NID);
        return new ConnectionRequest(order, version, nid);
    }

    /** Writes the request, {@link #bytes()} bytes. */
    public void write(MemorySegment to, long at) {
        Ordered.setInt(to, at + MAGIC, order, Magic.ACCEPTOR);
        to.set(LE32, at + VERSION, Ordered.inOrder(version, order));
        if (version == 1) {
            Ordered.setLong(to, at + NID4, order, nid.nid4());
        } else {
            NidWire.writeLarge(to, at + LARGE_NID, nid);
        }
    }
}
