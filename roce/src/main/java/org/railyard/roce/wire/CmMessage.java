package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.BE64;
import static org.railyard.roce.wire.Bth.BE16;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * A message between connection managers (spec 23 §5.3), as a management datagram of 256 bytes.
 *
 * @param transaction the same in all messages of one exchange
 * @param body what it says
 */
public record CmMessage(long transaction, CmBody body) {
    /** Bytes of every message. */
    public static final int BYTES = 256;

    private static final StructLayout HEADER = MemoryLayout.structLayout(
                    ValueLayout.JAVA_BYTE.withName("baseVersion"),
                    ValueLayout.JAVA_BYTE.withName("class"),
                    ValueLayout.JAVA_BYTE.withName("classVersion"),
                    ValueLayout.JAVA_BYTE.withName("method"),
                    BE16.withName("status"),
                    BE16.withName("specific"),
                    BE64.withName("transaction"),
                    BE16.withName("attribute"),
                    BE16.withName("reserved"),
                    BE32.withName("modifier"))
            .withName("mad");

    static final int HEADER_BYTES = (int) HEADER.byteSize();

    private static final VarHandle BASE_VERSION = Wire.field(HEADER, "baseVersion");
    private static final VarHandle CLASS = Wire.field(HEADER, "class");
    private static final VarHandle CLASS_VERSION = Wire.field(HEADER, "classVersion");
    private static final VarHandle METHOD = Wire.field(HEADER, "method");
    private static final VarHandle TRANSACTION = Wire.field(HEADER, "transaction");
    private static final VarHandle ATTRIBUTE = Wire.field(HEADER, "attribute");
    private static final byte MAD_VERSION = 1;
    private static final byte CM_CLASS = 7;
    private static final byte CM_VERSION = 2;
    private static final byte SEND = 3;

    /** Writes it. */
    public void write(MemorySegment to, long at) {
        MemorySegment mad = to.asSlice(at, BYTES).fill((byte) 0);
        BASE_VERSION.set(mad, 0L, MAD_VERSION);
        CLASS.set(mad, 0L, CM_CLASS);
        CLASS_VERSION.set(mad, 0L, CM_VERSION);
        METHOD.set(mad, 0L, SEND);
        TRANSACTION.set(mad, 0L, transaction);
        ATTRIBUTE.set(mad, 0L, (short) body.attribute().code());
        body.write(mad.asSlice(HEADER_BYTES));
    }

    /**
     * Reads a message.
     *
     * @param available how many bytes there are
     * @throws WireFormatException if it is not of this kind and version, or says what can not be
     */
    public static CmMessage read(MemorySegment from, long at, long available) throws WireFormatException {
        if (available != BYTES) {
            throw new WireFormatException(available + " bytes of management datagram, expected " + BYTES);
        }
        byte version = (byte) BASE_VERSION.get(from, at);
        byte kind = (byte) CLASS.get(from, at);
        byte kindVersion = (byte) CLASS_VERSION.get(from, at);
        byte method = (byte) METHOD.get(from, at);
        if (version != MAD_VERSION || kind != CM_CLASS || kindVersion != CM_VERSION || method != SEND) {
            throw new WireFormatException("management datagram of version " + version + ", class " + kind + " version "
                    + kindVersion + ", method " + method + "; expected 1, 7 version 2, 3");
        }
        int code = (short) ATTRIBUTE.get(from, at) & 0xFFFF;
        CmAttribute attribute = CmAttribute.of(code);
        if (attribute == null) {
            throw new WireFormatException("attribute 0x" + Integer.toHexString(code) + " of the connection manager");
        }
        MemorySegment body = from.asSlice(at + HEADER_BYTES, BYTES - HEADER_BYTES);
        return new CmMessage(
                (long) TRANSACTION.get(from, at),
                switch (attribute) {
                    case REQUEST -> CmRequest.read(body);
                    case REPLY -> CmReply.read(body);
                    case REJECT -> CmReject.read(body);
                    case READY, WAIT, DISCONNECT_REQUEST, DISCONNECT_REPLY -> CmNotice.read(attribute, body);
                });
    }
}
