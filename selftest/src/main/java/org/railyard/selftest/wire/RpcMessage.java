package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * A message as a whole: header and body, always {@value #BYTES} bytes (spec 03 §1.3). Messages are written
 * little-endian; the magic of those of a big-endian node is reversed, and so are they read.
 *
 * @param features feature bits of the session
 * @param order how its sender writes numbers, those of bulk data among them
 * @param body what it says
 */
public record RpcMessage<T extends Body>(int features, ByteOrder order, T body) {
    /** Bytes of every message. */
    public static final int BYTES = 160;

    /** Lengths of bulk data are exact, not whole pages. */
    public static final int EXACT_LENGTHS = 1;

    /** All feature bits that this node knows. */
    public static final int KNOWN_FEATURES = EXACT_LENGTHS;

    private static final int MAGIC = 0xeeb0f00d;
    private static final int VERSION = 1;

    private static final StructLayout HEADER = MemoryLayout.structLayout(
            LE32.withName("magic"),
            LE32.withName("version"),
            LE32.withName("type"),
            LE32.withName("reserved0"),
            LE32.withName("reserved1"),
            LE32.withName("ses_feats"));
    private static final long BODY = HEADER.byteSize();

    private static final VarHandle MAGIC_FIELD = Wire.field(HEADER, "magic");
    private static final VarHandle VERSION_FIELD = Wire.field(HEADER, "version");
    private static final VarHandle TYPE = Wire.field(HEADER, "type");
    private static final VarHandle FEATURES = Wire.field(HEADER, "ses_feats");

    /** Makes one as this node writes it. */
    public RpcMessage(int features, T body) {
        this(features, ByteOrder.LITTLE_ENDIAN, body);
    }

    /** Writes a request; all {@value #BYTES} bytes. */
    public static void writeRequest(MemorySegment to, Service service, int features, Request body) {
        write(to, service.requestType(), features, body);
    }

    /** Writes a reply; all {@value #BYTES} bytes. */
    public static void writeReply(MemorySegment to, Service service, int features, Reply body) {
        write(to, service.requestType() + 1, features, body);
    }

    private static void write(MemorySegment to, int type, int features, Body body) {
        to.asSlice(0, BYTES).fill((byte) 0);
        MAGIC_FIELD.set(to, 0L, MAGIC);
        VERSION_FIELD.set(to, 0L, VERSION);
        TYPE.set(to, 0L, type);
        FEATURES.set(to, 0L, features);
        body.write(to, BODY);
    }

    /**
     * Reads a request to a service. One of another version is read as well: it can be told so.
     *
     * @throws WireFormatException if length, magic or type are wrong
     */
    public static RpcMessage<Request> readRequest(MemorySegment from, long length, Service service)
            throws WireFormatException {
        ByteOrder order = order(from, length);
        MemorySegment bytes = turned(from, order, service.requestLayout());
        check(bytes, service.requestType());
        int features = (int) FEATURES.get(bytes, 0L);
        Request body = service.readRequest(bytes, BODY);
        boolean halves = order == ByteOrder.BIG_ENDIAN && (features & EXACT_LENGTHS) != 0;
        return new RpcMessage<>(
                features, order, halves && body instanceof TestRequest test ? test.withBulkHalvesExchanged() : body);
    }

    /**
     * Reads a reply of a service.
     *
     * @throws WireFormatException if length, magic or type are wrong
     */
    public static RpcMessage<Reply> readReply(MemorySegment from, long length, Service service)
            throws WireFormatException {
        ByteOrder order = order(from, length);
        MemorySegment bytes = turned(from, order, service.replyLayout());
        check(bytes, service.requestType() + 1);
        return new RpcMessage<>((int) FEATURES.get(bytes, 0L), order, service.readReply(bytes, BODY));
    }

    /** Tells whether a message that was read has the version of this node. */
    public static boolean isVersionKnown(MemorySegment from) {
        int version = (int) VERSION_FIELD.get(from, 0L);
        return ((int) MAGIC_FIELD.get(from, 0L) == MAGIC ? version : Integer.reverseBytes(version)) == VERSION;
    }

    private static ByteOrder order(MemorySegment from, long length) throws WireFormatException {
        if (length != BYTES) {
            throw new WireFormatException("message of " + length + " bytes, expected " + BYTES);
        }
        int magic = (int) MAGIC_FIELD.get(from, 0L);
        if (magic == MAGIC) {
            return ByteOrder.LITTLE_ENDIAN;
        }
        if (magic == Integer.reverseBytes(MAGIC)) {
            return ByteOrder.BIG_ENDIAN;
        }
        throw new WireFormatException("magic is 0x" + Integer.toHexString(magic) + ", expected 0x"
                + Integer.toHexString(MAGIC) + ", or that in reverse");
    }

    /** Returns a message as this node would have written it: a copy if it has to be turned around. */
    private static MemorySegment turned(MemorySegment from, ByteOrder order, MemoryLayout body) {
        if (order == ByteOrder.LITTLE_ENDIAN) {
            return from;
        }
        MemorySegment copy = MemorySegment.ofArray(from.asSlice(0, BYTES).toArray(ValueLayout.JAVA_BYTE));
        ByteOrders.turn(copy, 0, HEADER);
        ByteOrders.turn(copy, BODY, body);
        return copy;
    }

    private static void check(MemorySegment from, int type) throws WireFormatException {
        int found = (int) TYPE.get(from, 0L);
        if (found != type) {
            throw new WireFormatException("message of type " + found + ", expected " + type);
        }
    }
}
