package org.railyard.selftest.wire;

import static org.railyard.lnet.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.lnet.wire.Wire;
import org.railyard.lnet.wire.WireFormatException;

/**
 * A message as a whole: header and body, always {@value #BYTES} bytes (spec 03 §1.3).
 *
 * @param features feature bits of the session
 * @param body what it says
 */
public record RpcMessage<T extends Body>(int features, T body) {
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
        check(from, length, service.requestType());
        return new RpcMessage<>((int) FEATURES.get(from, 0L), service.readRequest(from, BODY));
    }

    /**
     * Reads a reply of a service.
     *
     * @throws WireFormatException if length, magic or type are wrong
     */
    public static RpcMessage<Reply> readReply(MemorySegment from, long length, Service service)
            throws WireFormatException {
        check(from, length, service.requestType() + 1);
        return new RpcMessage<>((int) FEATURES.get(from, 0L), service.readReply(from, BODY));
    }

    /** Tells whether a message that was read has the version of this node. */
    public static boolean isVersionKnown(MemorySegment from) {
        return (int) VERSION_FIELD.get(from, 0L) == VERSION;
    }

    private static void check(MemorySegment from, long length, int type) throws WireFormatException {
        if (length != BYTES) {
            throw new WireFormatException("message of " + length + " bytes, expected " + BYTES);
        }
        int magic = (int) MAGIC_FIELD.get(from, 0L);
        if (magic != MAGIC) {
            throw new WireFormatException(
                    "magic is 0x" + Integer.toHexString(magic) + ", expected 0x" + Integer.toHexString(MAGIC));
        }
        int found = (int) TYPE.get(from, 0L);
        if (found != type) {
            throw new WireFormatException("message of type " + found + ", expected " + type);
        }
    }
}
