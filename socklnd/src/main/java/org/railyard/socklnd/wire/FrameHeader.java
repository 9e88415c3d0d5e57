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

/**
 * The 24 bytes in front of every frame from V2 up (spec 02 §6.1). A mutable holder that is reused: reading and writing
 * allocate nothing. Not thread-safe.
 */
public final class FrameHeader {
    /** Type of a frame that ends with this header. */
    public static final int NOOP = 0xc0;

    /** Type of a frame that goes on with an LNet header and its payload. */
    public static final int LNET = 0xc1;

    /** The structure. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    LE32.withName("type"), LE32.withName("csum"), LE64.withName("cookie0"), LE64.withName("cookie1"))
            .withName("ksock_msg_hdr");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    private static final long TYPE = Wire.offsetOf(LAYOUT, "type");
    private static final long COOKIE1 = Wire.offsetOf(LAYOUT, "cookie1");
    static final long CSUM_OFFSET = Wire.offsetOf(LAYOUT, "csum");
    static final long COOKIE0_OFFSET = Wire.offsetOf(LAYOUT, "cookie0");

    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private int type = NOOP;
    private int checksum;
    private long cookie0;
    private long cookie1;

    /**
     * Reads a header.
     *
     * @param order byte order of the sender, as its HELLO showed it
     * @throws WireFormatException if the type is neither NOOP nor LNET, or bytes are missing
     */
    public void read(MemorySegment from, long at, ByteOrder order) throws WireFormatException {
        Ordered.requireBytes("frame header", from.byteSize() - at, BYTES);
        int read = Ordered.getInt(from, at + TYPE, order);
        if (read != NOOP && read != LNET) {
            throw new WireFormatException(
                    "frame type is 0x" + Integer.toHexString(read) + ", expected 0xc0 NOOP or 0xc1 LNET");
        }
        this.order = order;
        this.type = read;
        this.checksum = Ordered.getInt(from, at + CSUM_OFFSET, order);
        this.cookie0 = Ordered.getLong(from, at + COOKIE0_OFFSET, order);
        this.cookie1 = Ordered.getLong(from, at + COOKIE1, order);
    }

    /** Writes the header in its byte order, {@link #BYTES} bytes. */
    public void write(MemorySegment to, long at) {
        Ordered.setInt(to, at + TYPE, order, type);
        Ordered.setInt(to, at + CSUM_OFFSET, order, checksum);
        Ordered.setLong(to, at + COOKIE0_OFFSET, order, cookie0);
        Ordered.setLong(to, at + COOKIE1, order, cookie1);
    }

    /** Writes a little-endian header without a checksum. */
    public static void write(MemorySegment to, long at, int type, long cookie0, long cookie1) {
        to.set(LE32, at + TYPE, type);
        to.set(LE32, at + CSUM_OFFSET, 0);
        to.set(LE64, at + COOKIE0_OFFSET, cookie0);
        to.set(LE64, at + COOKIE1, cookie1);
    }

    /** Puts a checksum into a little-endian header that is already written. */
    public static void writeChecksum(MemorySegment to, long at, int checksum) {
        to.set(LE32, at + CSUM_OFFSET, checksum);
    }

    /** Returns the byte order it was read in. */
    public ByteOrder order() {
        return order;
    }

    /** Returns {@link #NOOP} or {@link #LNET}. */
    public int type() {
        return type;
    }

    /** Returns the checksum; 0 means none. */
    public int checksum() {
        return checksum;
    }

    /** Returns the cookie of a zero-copy request, or in a NOOP the first half of an ack; 0 means none. */
    public long cookie0() {
        return cookie0;
    }

    /** Returns the cookie of a zero-copy ack; 0 means none. */
    public long cookie1() {
        return cookie1;
    }
}
