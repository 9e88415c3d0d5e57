package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.LE16;
import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * The private data of a reject (spec 20 §3.4).
 *
 * @param order byte order of the rejecter
 * @param version what the rejecter speaks, or the requester's version once that was accepted; any 16 bits
 * @param why code of a {@link RejectReason}, 0…255; unknown codes are kept
 * @param padding what is in the byte behind it, 0…255; 0 from those who keep to the rules
 * @param incarnation of the rejecter's NI, 0 if there is none
 * @param limits the rejecter's own
 */
public record RejectRecord(
        ByteOrder order, int version, int why, int padding, long incarnation, ConnectionParameters limits) {
    /** The structure. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    LE32.withName("magic"),
                    LE16.withName("version"),
                    ValueLayout.JAVA_BYTE.withName("why"),
                    ValueLayout.JAVA_BYTE.withName("padding"),
                    LE64.withName("incarnation"),
                    ConnectionParameters.LAYOUT.withName("limits"))
            .withName("kib_rej");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    /** Bytes that a V1 rejecter means. */
    public static final int V1_BYTES = 7;

    private static final long MAGIC = Wire.offsetOf(LAYOUT, "magic");
    private static final long VERSION = Wire.offsetOf(LAYOUT, "version");
    private static final VarHandle WHY = Wire.field(LAYOUT, "why");
    private static final VarHandle PADDING = Wire.field(LAYOUT, "padding");
    private static final long INCARNATION = Wire.offsetOf(LAYOUT, "incarnation");
    private static final long LIMITS_OFFSET = Wire.offsetOf(LAYOUT, "limits");

    /** Returns a record in this node's byte order. */
    public static RejectRecord of(int version, RejectReason why, long incarnation, ConnectionParameters limits) {
        return new RejectRecord(ByteOrder.LITTLE_ENDIAN, version, why.code(), 0, incarnation, limits);
    }

    /**
     * Reads a record. One of version 1 may be short; what it lacks is read as 0.
     *
     * @throws WireFormatException if bytes are missing, or the magic is another
     */
    public static RejectRecord read(MemorySegment from, long at, long available) throws WireFormatException {
        Ordered.requireBytes("reject", available, V1_BYTES);
        ByteOrder order = KibHeader.orderOf(from, at, available, Kib.MAGIC);
        if (available < BYTES) {
            if (order == null || KibHeader.versionOf(from, at, order) != Kib.V1) {
                Ordered.requireBytes("reject", available, BYTES);
            }
            MemorySegment whole = MemorySegment.ofArray(new long[BYTES / Long.BYTES]);
            MemorySegment.copy(from, at, whole, 0, available);
            return read(whole, 0, BYTES);
        }
        if (order == null) {
            throw new WireFormatException("magic of a reject is 0x" + Integer.toHexString(from.get(LE32, at + MAGIC))
                    + ", expected 0x" + Integer.toHexString(Kib.MAGIC));
        }
        return new RejectRecord(
                order,
                Ordered.getShort(from, at + VERSION, order),
                (byte) WHY.get(from, at) & 0xFF,
                (byte) PADDING.get(from, at) & 0xFF,
                Ordered.getLong(from, at + INCARNATION, order),
                ConnectionParameters.read(from, at + LIMITS_OFFSET, order));
    }

    /** Writes the record. */
    public void write(MemorySegment to, long at) {
        Ordered.setInt(to, at + MAGIC, order, Kib.MAGIC);
        Ordered.setShort(to, at + VERSION, order, version);
        WHY.set(to, at, (byte) why);
        PADDING.set(to, at, (byte) padding);
        Ordered.setLong(to, at + INCARNATION, order, incarnation);
        limits.write(to, at + LIMITS_OFFSET, order);
    }
}
