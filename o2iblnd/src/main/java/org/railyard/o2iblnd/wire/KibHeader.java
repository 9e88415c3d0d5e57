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
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * The 48 bytes in front of every message (spec 20 §3.1). Used again and again: reading and writing allocate nothing.
 * Not thread-safe.
 */
public final class KibHeader {
    /** The structure. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    LE32.withName("magic"),
                    LE16.withName("version"),
                    ValueLayout.JAVA_BYTE.withName("type"),
                    ValueLayout.JAVA_BYTE.withName("credits"),
                    LE32.withName("nob"),
                    LE32.withName("cksum"),
                    LE64.withName("srcnid"),
                    LE64.withName("srcstamp"),
                    LE64.withName("dstnid"),
                    LE64.withName("dststamp"))
            .withName("kib_msg");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    /** Magic and version, whose places never change: all that can be read of a message of another version. */
    private static final StructLayout PREFACE = MemoryLayout.structLayout(
                    LE32.withName("magic"), LE16.withName("version"))
            .withName("kib_preface");

    /** Bytes of magic and version. */
    public static final int PREFACE_BYTES = (int) PREFACE.byteSize();

    private static final long MAGIC = Wire.offsetOf(PREFACE, "magic");
    private static final long VERSION = Wire.offsetOf(PREFACE, "version");
    private static final VarHandle TYPE = Wire.field(LAYOUT, "type");
    private static final VarHandle CREDITS = Wire.field(LAYOUT, "credits");
    private static final long NOB = Wire.offsetOf(LAYOUT, "nob");
    private static final long SRCNID = Wire.offsetOf(LAYOUT, "srcnid");
    private static final long SRCSTAMP = Wire.offsetOf(LAYOUT, "srcstamp");
    private static final long DSTNID = Wire.offsetOf(LAYOUT, "dstnid");
    private static final long DSTSTAMP = Wire.offsetOf(LAYOUT, "dststamp");
    static final long CHECKSUM_OFFSET = Wire.offsetOf(LAYOUT, "cksum");

    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private int version = Kib.V2;
    private KibType type = KibType.NOOP;
    private int credits;
    private int bytes = BYTES;
    private int checksum;
    private long sourceNid;
    private long sourceStamp;
    private long destinationNid;
    private long destinationStamp;

    /** Makes a header that says nothing yet. */
    public KibHeader() {}

    /**
     * Returns the byte order in which a magic stands at the start of some bytes; null if it is another magic, or bytes
     * are missing.
     */
    public static @Nullable ByteOrder orderOf(MemorySegment from, long at, long available, int magic) {
        if (available < PREFACE_BYTES) {
            return null;
        }
        int found = from.get(LE32, at + MAGIC);
        if (found == magic) {
            return ByteOrder.LITTLE_ENDIAN;
        }
        return Integer.reverseBytes(found) == magic ? ByteOrder.BIG_ENDIAN : null;
    }

    /** Returns the version of a message of which at least {@link #PREFACE_BYTES} are there. */
    public static int versionOf(MemorySegment from, long at, ByteOrder order) {
        return Ordered.getShort(from, at + VERSION, order);
    }

    /**
     * Reads a header and checks everything that can be checked without knowing the body (spec 20 §4).
     *
     * @param available how many bytes came
     * @throws WireFormatException if it is no message of this protocol
     */
    public void read(MemorySegment from, long at, long available) throws WireFormatException {
        Ordered.requireBytes("message", available, PREFACE_BYTES);
        ByteOrder found = orderOf(from, at, available, Kib.MAGIC);
        if (found == null) {
            throw new WireFormatException("magic is 0x" + Integer.toHexString(from.get(LE32, at + MAGIC))
                    + ", expected 0x" + Integer.toHexString(Kib.MAGIC));
        }
        int foundVersion = versionOf(from, at, found);
        if (!Kib.isKnownVersion(foundVersion)) {
            throw new WireFormatException(
                    "version is 0x" + Integer.toHexString(foundVersion) + ", expected 0x11 or 0x12");
        }
        Ordered.requireBytes("message header", available, BYTES);
        int nob = Ordered.getInt(from, at + NOB, found);
        if (nob < BYTES || nob > available) {
            throw new WireFormatException("a message says that it has " + Integer.toUnsignedString(nob)
                    + " bytes, expected " + BYTES + "…" + available);
        }
        int code = (byte) TYPE.get(from, at) & 0xFF;
        KibType foundType = KibType.of(code);
        if (foundType == null) {
            throw new WireFormatException("message type is 0x" + Integer.toHexString(code) + ", expected 0xc0…0xd7");
        }
        if (nob < foundType.minBytes()) {
            throw new WireFormatException(
                    foundType + " says that it has " + nob + " bytes, expected at least " + foundType.minBytes());
        }
        long nid = Ordered.getLong(from, at + SRCNID, found);
        if (nid == -1L) {
            throw new WireFormatException("source NID is the one that means any, expected a sender");
        }
        order = found;
        version = foundVersion;
        type = foundType;
        bytes = nob;
        credits = (byte) CREDITS.get(from, at) & 0xFF;
        checksum = Ordered.getInt(from, at + CHECKSUM_OFFSET, found);
        sourceNid = nid;
        sourceStamp = Ordered.getLong(from, at + SRCSTAMP, found);
        destinationNid = Ordered.getLong(from, at + DSTNID, found);
        destinationStamp = Ordered.getLong(from, at + DSTSTAMP, found);
    }

    /** Writes the header. */
    public void write(MemorySegment to, long at) {
        Ordered.setInt(to, at + MAGIC, order, Kib.MAGIC);
        Ordered.setShort(to, at + VERSION, order, version);
        TYPE.set(to, at, (byte) type.code());
        CREDITS.set(to, at, (byte) credits);
        Ordered.setInt(to, at + NOB, order, bytes);
        Ordered.setInt(to, at + CHECKSUM_OFFSET, order, checksum);
        Ordered.setLong(to, at + SRCNID, order, sourceNid);
        Ordered.setLong(to, at + SRCSTAMP, order, sourceStamp);
        Ordered.setLong(to, at + DSTNID, order, destinationNid);
        Ordered.setLong(to, at + DSTSTAMP, order, destinationStamp);
    }

    /** Writes a checksum into a message that was written without. */
    static void writeChecksum(MemorySegment to, long at, ByteOrder order, int value) {
        Ordered.setInt(to, at + CHECKSUM_OFFSET, order, value);
    }

    /** Returns the byte order of its sender. */
    public ByteOrder order() {
        return order;
    }

    /** Sets the byte order to write in. */
    public void setOrder(ByteOrder value) {
        order = value;
    }

    /** Returns the version. */
    public int version() {
        return version;
    }

    /** Sets version and type. */
    public void setType(int newVersion, KibType newType) {
        version = newVersion;
        type = newType;
    }

    /** Returns the type. */
    public KibType type() {
        return type;
    }

    /** Returns how many credits come back, 0…255. */
    public int credits() {
        return credits;
    }

    /** Sets how many credits go back, 0…255. */
    public void setCredits(int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException(value + " credits, expected 0…255");
        }
        credits = value;
    }

    /** Returns the length of the whole message, bytes. */
    public int bytes() {
        return bytes;
    }

    /** Sets the length of the whole message, bytes. */
    public void setBytes(int value) {
        bytes = value;
    }

    /** Returns the checksum, 0 if there is none. */
    public int checksum() {
        return checksum;
    }

    /** Sets the checksum, 0 for none. */
    public void setChecksum(int value) {
        checksum = value;
    }

    /** Returns the sender's NID, of four bytes. */
    public long sourceNid() {
        return sourceNid;
    }

    /** Returns the sender's incarnation. */
    public long sourceStamp() {
        return sourceStamp;
    }

    /** Returns the receiver's NID. */
    public long destinationNid() {
        return destinationNid;
    }

    /** Returns the receiver's incarnation as the sender knows it, 0 if it does not. */
    public long destinationStamp() {
        return destinationStamp;
    }

    /** Sets who sends. */
    public void setSource(long nid4, long stamp) {
        sourceNid = nid4;
        sourceStamp = stamp;
    }

    /** Sets for whom it is. */
    public void setDestination(long nid4, long stamp) {
        destinationNid = nid4;
        destinationStamp = stamp;
    }
}
