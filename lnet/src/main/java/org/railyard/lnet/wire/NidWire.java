package org.railyard.lnet.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.BE64;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;

/** NIDs in fixed structures: 8 bytes as nid4, 20 bytes as large NID (spec 01 §1.1). */
public final class NidWire {
    /** Bytes of a nid4. */
    public static final int NID4_BYTES = 8;

    /** The 20-byte form. Head is size, type and number; nothing in it is ever swapped. */
    public static final StructLayout LARGE = MemoryLayout.structLayout(
                    BE32.withName("head"), BE64.withName("addr_high"), BE64.withName("addr_low"))
            .withName("nid");

    /** Bytes of a large NID. */
    public static final int LARGE_BYTES = (int) LARGE.byteSize();

    private static final VarHandle HEAD = Wire.field(LARGE, "head");
    private static final VarHandle ADDR_HIGH = Wire.field(LARGE, "addr_high");
    private static final VarHandle ADDR_LOW = Wire.field(LARGE, "addr_low");

    private NidWire() {}

    /**
     * Reads a little-endian nid4.
     *
     * @param known returned itself when it is the NID that is read, so that steady traffic allocates nothing
     */
    public static Nid readNid4(MemorySegment from, long offset, Nid known) {
        long nid4 = from.get(LE64, offset);
        return known.isNid4() && known.nid4() == nid4 ? known : Nid.ofNid4(nid4);
    }

    /** Writes a little-endian nid4; a longer address is cut to its first four bytes, as real nodes do. */
    public static void writeNid4(MemorySegment to, long offset, Nid nid) {
        to.set(LE64, offset, nid.nid4());
    }

    /**
     * Reads a large NID.
     *
     * @param known returned itself when it is the NID that is read, so that steady traffic allocates nothing
     * @throws WireFormatException if the size field is out of range
     */
    public static Nid readLarge(MemorySegment from, long offset, Nid known) throws WireFormatException {
        int head = (int) HEAD.get(from, offset);
        long high = (long) ADDR_HIGH.get(from, offset);
        long low = (long) ADDR_LOW.get(from, offset);
        if (head == known.head() && high == known.addrHigh() && low == known.addrLow()) {
            return known;
        }
        if (!Nid.isLegalHead(head)) {
            throw new WireFormatException("NID size field is " + (head >>> 24) + ", the limit is " + Nid.MAX_SIZE);
        }
        return Nid.ofLarge(head, high, low);
    }

    /** Writes a large NID, all 20 bytes. */
    public static void writeLarge(MemorySegment to, long offset, Nid nid) {
        HEAD.set(to, offset, nid.head());
        ADDR_HIGH.set(to, offset, nid.addrHigh());
        ADDR_LOW.set(to, offset, nid.addrLow());
    }
}
