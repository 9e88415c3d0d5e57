package org.railyard.lnet.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * The header of an LNet message in both representations: nid4, 72 bytes, and large NID, 96 bytes (spec 01 §3).
 *
 * <p>A mutable holder that is reused: reading steady traffic allocates nothing, because a NID equal to the one already
 * held is kept. Not thread-safe. Which body fields mean something depends on {@link #type()}; the others are left as
 * they were by a read and are not written.
 */
public final class LNetHeader {
    private static final int BODY = 40;

    /** The nid4 header; the body follows at the end. */
    public static final StructLayout NID4 = MemoryLayout.structLayout(
                    LE64.withName("dest_nid"),
                    LE64.withName("src_nid"),
                    LE32.withName("dest_pid"),
                    LE32.withName("src_pid"),
                    LE32.withName("type"),
                    LE32.withName("payload_length"),
                    MemoryLayout.sequenceLayout(BODY, ValueLayout.JAVA_BYTE).withName("body"))
            .withName("lnet_hdr_nid4");

    /** The large-NID header; the body follows at the end. */
    public static final StructLayout LARGE = MemoryLayout.structLayout(
                    NidWire.LARGE.withName("dest_nid"),
                    NidWire.LARGE.withName("src_nid"),
                    LE32.withName("dest_pid"),
                    LE32.withName("src_pid"),
                    LE32.withName("type"),
                    LE32.withName("payload_length"),
                    MemoryLayout.sequenceLayout(BODY, ValueLayout.JAVA_BYTE).withName("body"))
            .withName("lnet_hdr");

    /** The body of an ACK. */
    public static final StructLayout ACK_BODY = MemoryLayout.structLayout(
            LE64.withName("interface_cookie"),
            LE64.withName("object_cookie"),
            LE64.withName("match_bits"),
            LE32.withName("mlength"));

    /** The body of a PUT. The handle that it begins with is all that the body of a REPLY has. */
    public static final StructLayout PUT_BODY = MemoryLayout.structLayout(
            LE64.withName("interface_cookie"),
            LE64.withName("object_cookie"),
            LE64.withName("match_bits"),
            LE64.withName("hdr_data"),
            LE32.withName("ptl_index"),
            LE32.withName("offset"));

    /** The body of a GET. */
    public static final StructLayout GET_BODY = MemoryLayout.structLayout(
            LE64.withName("interface_cookie"),
            LE64.withName("object_cookie"),
            LE64.withName("match_bits"),
            LE32.withName("ptl_index"),
            LE32.withName("src_offset"),
            LE32.withName("sink_length"));

    /** Bytes of the nid4 header. */
    public static final int NID4_BYTES = (int) NID4.byteSize();

    /** Bytes of the large-NID header. */
    public static final int LARGE_BYTES = (int) LARGE.byteSize();

    /** The four words between the NIDs and the body, which both headers share. */
    private static final StructLayout COMMON = MemoryLayout.structLayout(
            LE32.withName("dest_pid"),
            LE32.withName("src_pid"),
            LE32.withName("type"),
            LE32.withName("payload_length"));

    private static final long NID4_COMMON = Wire.offsetOf(NID4, "dest_pid");
    private static final long NID4_SRC = Wire.offsetOf(NID4, "src_nid");
    private static final long NID4_BODY = Wire.offsetOf(NID4, "body");
    private static final long LARGE_COMMON = Wire.offsetOf(LARGE, "dest_pid");
    private static final long LARGE_SRC = Wire.offsetOf(LARGE, "src_nid");
    private static final long LARGE_BODY = Wire.offsetOf(LARGE, "body");

    private static final VarHandle DEST_PID = Wire.field(COMMON, "dest_pid");
    private static final VarHandle SRC_PID = Wire.field(COMMON, "src_pid");
    private static final VarHandle TYPE = Wire.field(COMMON, "type");
    private static final VarHandle PAYLOAD_LENGTH = Wire.field(COMMON, "payload_length");
    // The handle and, where there are any, the match bits stand at the same place in every body.
    private static final VarHandle INTERFACE_COOKIE = Wire.field(PUT_BODY, "interface_cookie");
    private static final VarHandle OBJECT_COOKIE = Wire.field(PUT_BODY, "object_cookie");
    private static final VarHandle MATCH_BITS = Wire.field(PUT_BODY, "match_bits");
    private static final VarHandle ACK_MLENGTH = Wire.field(ACK_BODY, "mlength");
    private static final VarHandle PUT_HDR_DATA = Wire.field(PUT_BODY, "hdr_data");
    private static final VarHandle PUT_PTL_INDEX = Wire.field(PUT_BODY, "ptl_index");
    private static final VarHandle PUT_OFFSET = Wire.field(PUT_BODY, "offset");
    private static final VarHandle GET_PTL_INDEX = Wire.field(GET_BODY, "ptl_index");
    private static final VarHandle GET_SRC_OFFSET = Wire.field(GET_BODY, "src_offset");
    private static final VarHandle GET_SINK_LENGTH = Wire.field(GET_BODY, "sink_length");

    private Nid destNid = Nid.ANY;
    private Nid srcNid = Nid.ANY;
    private int destPid = ProcessId.LUSTRE_PID;
    private int srcPid = ProcessId.LUSTRE_PID;
    private MessageType type = MessageType.PUT;
    private int payloadLength;
    private long interfaceCookie = Wire.NO_COOKIE;
    private long objectCookie = Wire.NO_COOKIE;
    private long matchBits;
    private long hdrData;
    private int portal;
    private int offset;
    private int length;

    /** Returns the bytes a header takes, 72 or 96. */
    public static int bytes(boolean large) {
        return large ? LARGE_BYTES : NID4_BYTES;
    }

    /**
     * Reads a header.
     *
     * @param large whether it is the 96-byte form
     * @throws WireFormatException if the message type is unknown or a NID is malformed
     */
    public void read(MemorySegment from, long at, boolean large) throws WireFormatException {
        long common = at + (large ? LARGE_COMMON : NID4_COMMON);
        int number = (int) TYPE.get(from, common);
        MessageType read = MessageType.ofNumber(number);
        if (read == null) {
            throw new WireFormatException("LNet message type is " + Integer.toUnsignedString(number)
                    + ", expected 0 ACK, 1 PUT, 2 GET or 3 REPLY");
        }
        if (large) {
            destNid = NidWire.readLarge(from, at, destNid);
            srcNid = NidWire.readLarge(from, at + LARGE_SRC, srcNid);
        } else {
            destNid = NidWire.readNid4(from, at, destNid);
            srcNid = NidWire.readNid4(from, at + NID4_SRC, srcNid);
        }
        type = read;
        destPid = (int) DEST_PID.get(from, common);
        srcPid = (int) SRC_PID.get(from, common);
        payloadLength = (int) PAYLOAD_LENGTH.get(from, common);
        readBody(from, at + (large ? LARGE_BODY : NID4_BODY));
    }

    private void readBody(MemorySegment from, long body) {
        interfaceCookie = (long) INTERFACE_COOKIE.get(from, body);
        objectCookie = (long) OBJECT_COOKIE.get(from, body);
        switch (type) {
            case ACK -> {
                matchBits = (long) MATCH_BITS.get(from, body);
                length = (int) ACK_MLENGTH.get(from, body);
            }
            case PUT -> {
                matchBits = (long) MATCH_BITS.get(from, body);
                hdrData = (long) PUT_HDR_DATA.get(from, body);
                portal = (int) PUT_PTL_INDEX.get(from, body);
                offset = (int) PUT_OFFSET.get(from, body);
            }
            case GET -> {
                matchBits = (long) MATCH_BITS.get(from, body);
                portal = (int) GET_PTL_INDEX.get(from, body);
                offset = (int) GET_SRC_OFFSET.get(from, body);
                length = (int) GET_SINK_LENGTH.get(from, body);
            }
            case REPLY, HELLO -> {}
        }
    }

    /**
     * Writes the header; unused body bytes become zero.
     *
     * @param large whether to write the 96-byte form; the 72-byte form cuts NIDs longer than nid4
     */
    public void write(MemorySegment to, long at, boolean large) {
        if (large) {
            NidWire.writeLarge(to, at, destNid);
            NidWire.writeLarge(to, at + LARGE_SRC, srcNid);
        } else {
            NidWire.writeNid4(to, at, destNid);
            NidWire.writeNid4(to, at + NID4_SRC, srcNid);
        }
        long common = at + (large ? LARGE_COMMON : NID4_COMMON);
        DEST_PID.set(to, common, destPid);
        SRC_PID.set(to, common, srcPid);
        TYPE.set(to, common, type.number());
        PAYLOAD_LENGTH.set(to, common, payloadLength);
        writeBody(to, at + (large ? LARGE_BODY : NID4_BODY));
    }

    private void writeBody(MemorySegment to, long body) {
        for (int i = 16; i < BODY; i += 8) {
            to.set(LE64, body + i, 0);
        }
        INTERFACE_COOKIE.set(to, body, interfaceCookie);
        OBJECT_COOKIE.set(to, body, objectCookie);
        switch (type) {
            case ACK -> {
                MATCH_BITS.set(to, body, matchBits);
                ACK_MLENGTH.set(to, body, length);
            }
            case PUT -> {
                MATCH_BITS.set(to, body, matchBits);
                PUT_HDR_DATA.set(to, body, hdrData);
                PUT_PTL_INDEX.set(to, body, portal);
                PUT_OFFSET.set(to, body, offset);
            }
            case GET -> {
                MATCH_BITS.set(to, body, matchBits);
                GET_PTL_INDEX.set(to, body, portal);
                GET_SRC_OFFSET.set(to, body, offset);
                GET_SINK_LENGTH.set(to, body, length);
            }
            case REPLY, HELLO -> {}
        }
    }

    /** Makes this header equal to another. */
    public void copyFrom(LNetHeader other) {
        destNid = other.destNid;
        srcNid = other.srcNid;
        destPid = other.destPid;
        srcPid = other.srcPid;
        type = other.type;
        payloadLength = other.payloadLength;
        interfaceCookie = other.interfaceCookie;
        objectCookie = other.objectCookie;
        matchBits = other.matchBits;
        hdrData = other.hdrData;
        portal = other.portal;
        offset = other.offset;
        length = other.length;
    }

    /** Makes this an ACK, without addresses. */
    public void setAck(long interfaceCookie, long objectCookie, long matchBits, int mlength) {
        this.type = MessageType.ACK;
        this.payloadLength = 0;
        this.interfaceCookie = interfaceCookie;
        this.objectCookie = objectCookie;
        this.matchBits = matchBits;
        this.length = mlength;
    }

    /** Makes this a PUT, without addresses. Cookies of {@link Wire#NO_COOKIE} ask for no ACK. */
    public void setPut(
            int payloadLength,
            long interfaceCookie,
            long objectCookie,
            int portal,
            long matchBits,
            int offset,
            long hdrData) {
        this.type = MessageType.PUT;
        this.payloadLength = payloadLength;
        this.interfaceCookie = interfaceCookie;
        this.objectCookie = objectCookie;
        this.portal = portal;
        this.matchBits = matchBits;
        this.offset = offset;
        this.hdrData = hdrData;
    }

    /** Makes this a GET, without addresses. */
    public void setGet(
            long interfaceCookie, long objectCookie, int portal, long matchBits, int srcOffset, int sinkLength) {
        this.type = MessageType.GET;
        this.payloadLength = 0;
        this.interfaceCookie = interfaceCookie;
        this.objectCookie = objectCookie;
        this.portal = portal;
        this.matchBits = matchBits;
        this.offset = srcOffset;
        this.length = sinkLength;
    }

    /** Makes this a REPLY, without addresses. */
    public void setReply(int payloadLength, long interfaceCookie, long objectCookie) {
        this.type = MessageType.REPLY;
        this.payloadLength = payloadLength;
        this.interfaceCookie = interfaceCookie;
        this.objectCookie = objectCookie;
    }

    /** Sets destination and source. */
    public void setRoute(Nid destNid, int destPid, Nid srcNid, int srcPid) {
        this.destNid = destNid;
        this.destPid = destPid;
        this.srcNid = srcNid;
        this.srcPid = srcPid;
    }

    /** Returns the final destination. */
    public Nid destNid() {
        return destNid;
    }

    /** Returns the original source. */
    public Nid srcNid() {
        return srcNid;
    }

    /** Returns the destination's process id. */
    public int destPid() {
        return destPid;
    }

    /** Returns the source's process id. */
    public int srcPid() {
        return srcPid;
    }

    /** Returns the kind of message. */
    public MessageType type() {
        return type;
    }

    /** Returns the bytes that follow the header, as on the wire: a value below 0 stands for one above 2 GiB. */
    public int payloadLength() {
        return payloadLength;
    }

    /**
     * ACK: copy of the PUT's ack handle. PUT: where the ACK goes. GET: where the REPLY goes. REPLY: copy of the GET's
     * return handle.
     */
    public long interfaceCookie() {
        return interfaceCookie;
    }

    /** The second half of the handle, see {@link #interfaceCookie()}. */
    public long objectCookie() {
        return objectCookie;
    }

    /** PUT: tells whether the sender wants an ACK. */
    public boolean wantsAck() {
        return interfaceCookie != Wire.NO_COOKIE || objectCookie != Wire.NO_COOKIE;
    }

    /** PUT, GET, ACK: match bits. */
    public long matchBits() {
        return matchBits;
    }

    /** PUT: 64 out-of-band bits. */
    public long hdrData() {
        return hdrData;
    }

    /** PUT, GET: portal index, as on the wire: not checked. */
    public int portal() {
        return portal;
    }

    /** PUT, GET: offset at the target, honoured for descriptors whose offset the initiator manages. */
    public int offset() {
        return offset;
    }

    /** GET: most bytes the initiator can take. */
    public int sinkLength() {
        return length;
    }

    /** ACK: bytes stored at the target. */
    public int mlength() {
        return length;
    }
}
