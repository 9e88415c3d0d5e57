package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A message: the header, and the body that its type has (spec 20 §3.2). Used again and again. Not thread-safe.
 *
 * <p>Cookies and LNet headers are never in another byte order, whatever the message is in.
 */
public final class KibMessage {
    /** Where payload begins in an IMMEDIATE. */
    public static final int PAYLOAD_OFFSET = KibHeader.BYTES + LNetHeader.NID4_BYTES;

    /** Largest payload of an IMMEDIATE, bytes. */
    public static final int MAX_IMMEDIATE_PAYLOAD = Kib.MESSAGE_BYTES - PAYLOAD_OFFSET;

    /** The two cookies of PUT_ACK. */
    public static final StructLayout COOKIES = MemoryLayout.structLayout(
                    LE64.withName("src_cookie"), LE64.withName("dst_cookie"))
            .withName("kib_putack");

    /** What follows the LNet header of PUT_REQ and GET_REQ. */
    public static final StructLayout COOKIE =
            MemoryLayout.structLayout(LE64.withName("cookie")).withName("kib_cookie");

    /** All of PUT_NAK, PUT_DONE and GET_DONE: a cookie and a status. */
    public static final StructLayout COMPLETION = MemoryLayout.structLayout(
                    LE64.withName("cookie"), LE32.withName("status"))
            .withName("kib_completion");

    private static final VarHandle SOURCE_COOKIE = Wire.field(COOKIES, "src_cookie");
    private static final VarHandle SINK_COOKIE = Wire.field(COOKIES, "dst_cookie");
    private static final VarHandle REQUEST_COOKIE = Wire.field(COOKIE, "cookie");
    private static final VarHandle COMPLETION_COOKIE = Wire.field(COMPLETION, "cookie");
    private static final long STATUS = Wire.offsetOf(COMPLETION, "status");

    private final KibHeader header = new KibHeader();
    private final LNetHeader lnet = new LNetHeader();
    private final RdmaDescriptor descriptor = new RdmaDescriptor();
    private ConnectionParameters parameters = ConnectionParameters.of(0, 0);
    private long cookie;
    private long sinkCookie;
    private int status;

    /** Makes a message that says nothing yet. */
    public KibMessage() {}

    /**
     * Reads a message and checks it (spec 20 §4(1)), all but the checksum.
     *
     * @param available how many bytes came
     * @throws WireFormatException if something is missing or out of range
     */
    public void read(MemorySegment from, long at, long available) throws WireFormatException {
        header.read(from, at, available);
        KibType type = header.type();
        long body = at + KibHeader.BYTES;
        if (type.hasLNetHeader()) {
            lnet.read(from, body, false);
        }
        if (type.hasParameters()) {
            parameters = ConnectionParameters.read(from, body, header.order());
        } else if (type.isCompletion()) {
            cookie = (long) COMPLETION_COOKIE.get(from, body);
            status = Ordered.getInt(from, body + STATUS, header.order());
        } else if (type == KibType.PUT_ACK) {
            cookie = (long) SOURCE_COOKIE.get(from, body);
            sinkCookie = (long) SINK_COOKIE.get(from, body);
        } else if (type == KibType.PUT_REQ || type == KibType.GET_REQ) {
            cookie = (long) REQUEST_COOKIE.get(from, at + PAYLOAD_OFFSET);
        }
        if (type.hasDescriptor()) {
            long place = at + descriptorOffset(type);
            descriptor.read(from, place, header.bytes() - descriptorOffset(type), header.order());
        }
    }

    /**
     * Verifies the checksum, if there is one, by either of the two ways in which kernels count (spec 20 §3.6).
     *
     * @throws WireFormatException if it is wrong
     */
    public void verify(MemorySegment from, long at) throws WireFormatException {
        int said = header.checksum();
        if (said != 0
                && said != KibChecksum.of(from, at, header.bytes(), true)
                && said != KibChecksum.of(from, at, header.bytes(), false)) {
            throw new WireFormatException(header.type() + " has the checksum 0x" + Integer.toHexString(said)
                    + ", expected 0x" + Integer.toHexString(KibChecksum.of(from, at, header.bytes(), true)));
        }
    }

    private static int descriptorOffset(KibType type) {
        return type == KibType.GET_REQ ? PAYLOAD_OFFSET + Long.BYTES : KibHeader.BYTES + 2 * Long.BYTES;
    }

    /** Writes the message, all but payload and checksum; returns its length, bytes. */
    public int write(MemorySegment to, long at) {
        header.write(to, at);
        KibType type = header.type();
        long body = at + KibHeader.BYTES;
        if (type.hasLNetHeader()) {
            lnet.write(to, body, false);
        }
        if (type.hasParameters()) {
            parameters.write(to, body, header.order());
        } else if (type.isCompletion()) {
            COMPLETION_COOKIE.set(to, body, cookie);
            Ordered.setInt(to, body + STATUS, header.order(), status);
        } else if (type == KibType.PUT_ACK) {
            SOURCE_COOKIE.set(to, body, cookie);
            SINK_COOKIE.set(to, body, sinkCookie);
        } else if (type == KibType.PUT_REQ || type == KibType.GET_REQ) {
            REQUEST_COOKIE.set(to, at + PAYLOAD_OFFSET, cookie);
        }
        if (type.hasDescriptor()) {
            descriptor.write(to, at + descriptorOffset(type), header.order());
        }
        return header.bytes();
    }

    /** Computes and writes the checksum of a message that was written with its payload. */
    public void writeChecksum(MemorySegment to, long at, boolean signed) {
        header.setChecksum(KibChecksum.of(to, at, header.bytes(), signed));
        KibHeader.writeChecksum(to, at, header.order(), header.checksum());
    }

    private void begin(int version, KibType type, int bytes) {
        header.setType(version, type);
        header.setBytes(bytes);
        header.setChecksum(0);
    }

    /** Makes it a CONNREQ or CONNACK. */
    public void setConnection(int version, KibType type, ConnectionParameters value) {
        begin(version, type, type.minBytes());
        parameters = value;
    }

    /** Makes it a NOOP. */
    public void setNoop(int version) {
        begin(version, KibType.NOOP, KibType.NOOP.minBytes());
    }

    /** Makes it a NOOP that says that its sender knows of {@link Packing}; the caller writes the marker. */
    public void setGreeting(int version) {
        begin(version, KibType.NOOP, Packing.NOOP_BYTES);
    }

    /**
     * Makes it an IMMEDIATE.
     *
     * @param payloadLength 0…{@link #MAX_IMMEDIATE_PAYLOAD}, to be put behind it by the caller
     */
    public void setImmediate(int version, LNetHeader value, int payloadLength) {
        if (payloadLength < 0 || payloadLength > MAX_IMMEDIATE_PAYLOAD) {
            throw new IllegalArgumentException(
                    "an immediate payload of " + payloadLength + " bytes, expected 0…" + MAX_IMMEDIATE_PAYLOAD);
        }
        begin(version, KibType.IMMEDIATE, PAYLOAD_OFFSET + payloadLength);
        lnet.copyFrom(value);
    }

    /** Makes it a PUT_REQ. */
    public void setPutRequest(int version, LNetHeader value, long newCookie) {
        begin(version, KibType.PUT_REQ, KibType.PUT_REQ.minBytes());
        lnet.copyFrom(value);
        cookie = newCookie;
    }

    /** Makes it a GET_REQ. */
    public void setGetRequest(int version, LNetHeader value, long newCookie, RdmaDescriptor sink) {
        begin(version, KibType.GET_REQ, descriptorOffset(KibType.GET_REQ) + sink.wireBytes());
        lnet.copyFrom(value);
        cookie = newCookie;
        descriptor.copyFrom(sink);
    }

    /** Makes it a PUT_ACK. */
    public void setPutAck(int version, long sourceCookie, long newSinkCookie, RdmaDescriptor sink) {
        begin(version, KibType.PUT_ACK, descriptorOffset(KibType.PUT_ACK) + sink.wireBytes());
        cookie = sourceCookie;
        sinkCookie = newSinkCookie;
        descriptor.copyFrom(sink);
    }

    /**
     * Makes it a PUT_NAK, PUT_DONE or GET_DONE.
     *
     * @param newStatus negative errno, or how many bytes were moved
     */
    public void setCompletion(int version, KibType type, long newCookie, int newStatus) {
        begin(version, type, type.minBytes());
        cookie = newCookie;
        status = newStatus;
    }

    /** Returns the header. */
    public KibHeader header() {
        return header;
    }

    /** Returns the type. */
    public KibType type() {
        return header.type();
    }

    /** Returns the LNet header of IMMEDIATE, PUT_REQ and GET_REQ. */
    public LNetHeader lnet() {
        return lnet;
    }

    /** Returns the descriptor of PUT_ACK and GET_REQ. */
    public RdmaDescriptor descriptor() {
        return descriptor;
    }

    /** Returns the parameters of CONNREQ and CONNACK. */
    public ConnectionParameters parameters() {
        return parameters;
    }

    /** Returns the cookie of all others but NOOP and IMMEDIATE; of PUT_ACK the source's. */
    public long cookie() {
        return cookie;
    }

    /** Returns the sink's cookie of PUT_ACK. */
    public long sinkCookie() {
        return sinkCookie;
    }

    /** Returns the status of PUT_NAK, PUT_DONE and GET_DONE. */
    public int status() {
        return status;
    }

    /** Returns how long the payload of an IMMEDIATE is, bytes. */
    public int immediateBytes() {
        return header.bytes() - PAYLOAD_OFFSET;
    }
}
