package org.railyard.lnet.wire;

import static org.railyard.lnet.wire.Wire.BE32;
import static org.railyard.lnet.wire.Wire.LE32;
import static org.railyard.lnet.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * What a node says about itself in a ping reply or a push: features, sequence number, and its NIDs with their status (spec 01 §7).
 *
 * <p>Immutable. A block that was read may be cut short, see {@link #isTruncated()}; it then holds the entries that arrived whole. Nothing
 * is checked about the NIDs of the entries: a peer may name one twice, or the wildcard, or the loopback NID.
 */
public final class PingInfo {
    /** First word of a block in its owner's byte order. */
    public static final int MAGIC = 0x70696e67;

    /** Feature: plain ping; modern nodes do not set it. */
    public static final int BASE = 0x01;

    /** Feature: the status words are valid. A block without it is rejected by every receiver. */
    public static final int NI_STATUS = 0x02;

    /** Feature: the node does <em>not</em> route. */
    public static final int RTE_DISABLED = 0x04;

    /** Feature: the node understands Multi-Rail and pushes. */
    public static final int MULTI_RAIL = 0x08;

    /** Feature: dynamic discovery is on. */
    public static final int DISCOVERY = 0x10;

    /** Feature: large entries follow the nid4 entries. */
    public static final int LARGE_ADDR = 0x20;

    /** Feature: the primary NID is that of the first large entry. */
    public static final int PRIMARY_LARGE = 0x40;

    /** Feature: LND metadata follows the entries. */
    public static final int METADATA = 0x80;

    /** Status of an NI that works. */
    public static final int STATUS_UP = 0x15aac0de;

    /** Status of an NI that does not work. */
    public static final int STATUS_DOWN = 0xdeadface;

    /** Status of an NI that says nothing about it. */
    public static final int STATUS_INVALID = 0;

    /** Default limit for the nid4 entries of one block, loopback included. */
    public static final int MAX_INTERFACES = 4096;

    /** Least room for a block that discovery, recovery and push targets offer, bytes: 16 nid4 entries. */
    public static final int MIN_BUFFER = 272;

    /** Room that a ping by hand offers, bytes. */
    public static final int PING_BUFFER = 3960;

    private static final StructLayout HEADER = MemoryLayout.structLayout(
                    LE32.withName("magic"), LE32.withName("features"), LE32.withName("pid"), LE32.withName("nnis"))
            .withName("lnet_ping_info");

    private static final StructLayout NID4_ENTRY = MemoryLayout.structLayout(
                    LE64.withName("nid"), LE32.withName("status"), LE32.withName("msg_size"))
            .withName("lnet_ni_status");

    /** A large entry without its address: status, then size, type and number of the NID. */
    private static final StructLayout LARGE_ENTRY_HEAD = MemoryLayout.structLayout(
                    LE32.withName("status"), BE32.withName("head"))
            .withName("lnet_ni_large_status");

    private static final int HEADER_BYTES = (int) HEADER.byteSize();
    private static final int NID4_ENTRY_BYTES = (int) NID4_ENTRY.byteSize();
    private static final int LARGE_HEAD_BYTES = (int) LARGE_ENTRY_HEAD.byteSize();
    private static final int MAX_LARGE_ENTRY_BYTES = LARGE_HEAD_BYTES + 16;

    private static final VarHandle HEADER_MAGIC = Wire.field(HEADER, "magic");
    private static final VarHandle HEADER_FEATURES = Wire.field(HEADER, "features");
    private static final VarHandle HEADER_PID = Wire.field(HEADER, "pid");
    private static final VarHandle HEADER_NNIS = Wire.field(HEADER, "nnis");
    private static final VarHandle ENTRY_NID = Wire.field(NID4_ENTRY, "nid");
    private static final VarHandle ENTRY_STATUS = Wire.field(NID4_ENTRY, "status");
    private static final VarHandle ENTRY_MSG_SIZE = Wire.field(NID4_ENTRY, "msg_size");
    private static final VarHandle LARGE_STATUS = Wire.field(LARGE_ENTRY_HEAD, "status");
    private static final VarHandle LARGE_HEAD = Wire.field(LARGE_ENTRY_HEAD, "head");

    /**
     * One NID of the node.
     *
     * @param nid the NID
     * @param status {@link #STATUS_UP}, {@link #STATUS_DOWN}, or what else the peer wrote
     */
    public record Entry(Nid nid, int status) {
        /** Tells whether the owner says that this NI does not work. */
        public boolean isDown() {
            return status == STATUS_DOWN;
        }
    }

    private final ByteOrder order;
    private final int features;
    private final int pid;
    private final int sequence;
    /** The entry count of the header, loopback included; more than is here when truncated. */
    private final int announcedNid4;

    private final int announcedBytes;
    private final boolean truncated;
    /** How many of {@link #entries} stand in the nid4 part. */
    private final int nid4Entries;

    private final List<Entry> entries;

    private PingInfo(
            ByteOrder order,
            int features,
            int pid,
            int sequence,
            int announcedNid4,
            int announcedBytes,
            boolean truncated,
            int nid4Entries,
            List<Entry> entries) {
        this.order = order;
        this.features = features;
        this.pid = pid;
        this.sequence = sequence;
        this.announcedNid4 = announcedNid4;
        this.announcedBytes = announcedBytes;
        this.truncated = truncated;
        this.nid4Entries = nid4Entries;
        this.entries = List.copyOf(entries);
    }

    /**
     * Makes the block of this node, as real nodes lay it out: nid4 entries first, each group in the given order.
     *
     * @param features feature bits; NI_STATUS is always set, LARGE_ADDR and PRIMARY_LARGE are set and cleared as the entries demand
     * @param pid the process id
     * @param sequence the sequence number
     * @param entries the NIDs without {@code 0@lo}, the primary one first; fewer than {@link #MAX_INTERFACES}
     * @throws IllegalArgumentException if there are too many entries, or one is the wildcard or the loopback NID
     */
    public static PingInfo of(int features, int pid, int sequence, List<Entry> entries) {
        if (entries.size() >= MAX_INTERFACES) {
            throw new IllegalArgumentException(
                    entries.size() + " NIDs in a ping info, the limit is " + (MAX_INTERFACES - 1));
        }
        List<Entry> ordered = new ArrayList<>(entries.size());
        int bytes = HEADER_BYTES + NID4_ENTRY_BYTES;
        for (Entry entry : entries) {
            if (entry.nid().isAny() || entry.nid().isLoopback()) {
                throw new IllegalArgumentException(entry.nid() + " cannot be announced in a ping info");
            }
            if (entry.nid().isNid4()) {
                ordered.add(entry);
                bytes += NID4_ENTRY_BYTES;
            }
        }
        int nid4 = ordered.size();
        for (Entry entry : entries) {
            if (!entry.nid().isNid4()) {
                ordered.add(entry);
                bytes += largeEntryBytes(entry.nid().size());
            }
        }
        int bits = (features & ~(LARGE_ADDR | PRIMARY_LARGE)) | NI_STATUS;
        if (nid4 < ordered.size()) {
            bits |= LARGE_ADDR;
            bits |= entries.getFirst().nid().isNid4() ? 0 : PRIMARY_LARGE;
        }
        return new PingInfo(ByteOrder.LITTLE_ENDIAN, bits, pid, sequence, nid4 + 1, bytes, false, nid4, ordered);
    }

    /**
     * Reads a block of either byte order. Metadata and anything else behind the entries is ignored.
     *
     * @param length bytes that are there, from 0; fewer than the block has if the reply was cut
     * @param maxInterfaces largest number of nid4 entries to believe, loopback included; 1 or more, usually {@link #MAX_INTERFACES}
     * @throws WireFormatException if it is no valid ping info (spec 01 §7.6) or shorter than its first entry
     */
    public static PingInfo read(MemorySegment from, long at, long length, int maxInterfaces)
            throws WireFormatException {
        if (length < HEADER_BYTES + NID4_ENTRY_BYTES) {
            throw new WireFormatException(
                    "ping info of " + length + " bytes, expected at least " + (HEADER_BYTES + NID4_ENTRY_BYTES));
        }
        int magic = (int) HEADER_MAGIC.get(from, at);
        ByteOrder order;
        if (magic == MAGIC) {
            order = ByteOrder.LITTLE_ENDIAN;
        } else if (magic == Integer.reverseBytes(MAGIC)) {
            order = ByteOrder.BIG_ENDIAN;
        } else {
            throw new WireFormatException("ping info magic is 0x" + Integer.toHexString(magic) + ", expected 0x"
                    + Integer.toHexString(MAGIC));
        }
        int features = swapped(order, (int) HEADER_FEATURES.get(from, at));
        if ((features & NI_STATUS) == 0) {
            throw new WireFormatException("ping info features 0x" + Integer.toHexString(features)
                    + " lack NI_STATUS (0x" + Integer.toHexString(NI_STATUS) + ")");
        }
        int nnis = swapped(order, (int) HEADER_NNIS.get(from, at));
        if (nnis < 1 || nnis > maxInterfaces) {
            throw new WireFormatException(
                    "ping info has " + Integer.toUnsignedString(nnis) + " interfaces, expected 1 to " + maxInterfaces);
        }
        long first = at + HEADER_BYTES;
        Nid loopback = Nid.ofNid4(swapped(order, (long) ENTRY_NID.get(from, first)));
        if (!loopback.equals(Nid.LOOPBACK)) {
            throw new WireFormatException("first NID of a ping info is " + loopback + ", expected " + Nid.LOOPBACK);
        }
        int pid = swapped(order, (int) HEADER_PID.get(from, at));
        int sequence = swapped(order, (int) ENTRY_STATUS.get(from, first));
        int announced =
                announcedBytes(features, nnis, swapped(order, (int) ENTRY_MSG_SIZE.get(from, first)), maxInterfaces);

        List<Entry> entries = new ArrayList<>();
        long here = Math.min(announced, length);
        readNid4Entries(from, at, order, nnis, here, entries);
        int nid4 = entries.size();
        if ((features & LARGE_ADDR) != 0) {
            readLargeEntries(from, at, order, HEADER_BYTES + (long) NID4_ENTRY_BYTES * nnis, here, entries);
        }
        return new PingInfo(order, features, pid, sequence, nnis, announced, length < announced, nid4, entries);
    }

    /** Full size of a block; a total smaller than its own nid4 part means that there are no large entries. */
    private static int announcedBytes(int features, int nnis, int msgSize, int maxInterfaces)
            throws WireFormatException {
        long nid4Part = HEADER_BYTES + (long) NID4_ENTRY_BYTES * nnis;
        if ((features & LARGE_ADDR) == 0) {
            return (int) nid4Part;
        }
        long total = Integer.toUnsignedLong(msgSize) & ~3L;
        long limit = HEADER_BYTES + (long) maxInterfaces * (NID4_ENTRY_BYTES + MAX_LARGE_ENTRY_BYTES);
        if (total > Math.min(limit, Integer.MAX_VALUE)) {
            throw new WireFormatException("ping info announces " + total + " bytes, expected at most " + limit);
        }
        return (int) Math.max(nid4Part, total);
    }

    private static void readNid4Entries(
            MemorySegment from, long at, ByteOrder order, int nnis, long here, List<Entry> into) {
        for (int i = 1; i < nnis && HEADER_BYTES + (i + 1L) * NID4_ENTRY_BYTES <= here; i++) {
            long entry = at + HEADER_BYTES + (long) i * NID4_ENTRY_BYTES;
            Nid nid = Nid.ofNid4(swapped(order, (long) ENTRY_NID.get(from, entry)));
            into.add(new Entry(nid, swapped(order, (int) ENTRY_STATUS.get(from, entry))));
        }
    }

    private static void readLargeEntries(
            MemorySegment from, long at, ByteOrder order, long start, long here, List<Entry> into) {
        long offset = start;
        while (offset + LARGE_HEAD_BYTES <= here) {
            int head = (int) LARGE_HEAD.get(from, at + offset);
            int size = head >>> 24;
            int bytes = largeEntryBytes(size);
            if (offset + bytes > here) {
                return;
            }
            boolean wildcard = (head >>> 16 & 0xff) == 0xff;
            if (size <= Nid.MAX_SIZE && !wildcard) {
                byte[] address = new byte[size + 4];
                MemorySegment.copy(
                        from, ValueLayout.JAVA_BYTE, at + offset + LARGE_HEAD_BYTES, address, 0, address.length);
                into.add(new Entry(Nid.of(new Net(head & 0xffffff), address), swapped(order, (int)
                        LARGE_STATUS.get(from, at + offset))));
            }
            offset += bytes;
        }
    }

    private static int largeEntryBytes(int size) {
        return LARGE_HEAD_BYTES + 4 + size + 3 & ~3;
    }

    private static int swapped(ByteOrder order, int word) {
        return order == ByteOrder.LITTLE_ENDIAN ? word : Integer.reverseBytes(word);
    }

    private static long swapped(ByteOrder order, long word) {
        return order == ByteOrder.LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    /** Returns the bytes that {@link #write} writes. */
    public int bytes() {
        int bytes = HEADER_BYTES + NID4_ENTRY_BYTES * (1 + nid4Entries);
        for (int i = nid4Entries; i < entries.size(); i++) {
            bytes += largeEntryBytes(entries.get(i).nid().size());
        }
        return bytes;
    }

    /**
     * Writes the block: little-endian if it is our own, in its owner's byte order if it was read. A truncated one is written as it came,
     * with the counts of the whole block and the entries that are here.
     *
     * @param to at least {@code at + }{@link #bytes()} bytes long
     */
    public void write(MemorySegment to, long at) {
        HEADER_MAGIC.set(to, at, swapped(order, MAGIC));
        HEADER_FEATURES.set(to, at, swapped(order, features));
        HEADER_PID.set(to, at, swapped(order, pid));
        HEADER_NNIS.set(to, at, swapped(order, announcedNid4));
        long offset = at + HEADER_BYTES;
        writeNid4Entry(to, offset, Nid.LOOPBACK, sequence, hasFeature(LARGE_ADDR) ? announcedBytes : 0);
        offset += NID4_ENTRY_BYTES;
        for (int i = 0; i < nid4Entries; i++) {
            writeNid4Entry(to, offset, entries.get(i).nid(), entries.get(i).status(), 0);
            offset += NID4_ENTRY_BYTES;
        }
        for (int i = nid4Entries; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            int bytes = largeEntryBytes(entry.nid().size());
            to.asSlice(offset, bytes).fill((byte) 0);
            LARGE_STATUS.set(to, offset, swapped(order, entry.status()));
            LARGE_HEAD.set(to, offset, entry.nid().head());
            byte[] address = entry.nid().address();
            MemorySegment.copy(address, 0, to, ValueLayout.JAVA_BYTE, offset + LARGE_HEAD_BYTES, address.length);
            offset += bytes;
        }
    }

    private void writeNid4Entry(MemorySegment to, long offset, Nid nid, int status, int msgSize) {
        ENTRY_NID.set(to, offset, swapped(order, nid.nid4()));
        ENTRY_STATUS.set(to, offset, swapped(order, status));
        ENTRY_MSG_SIZE.set(to, offset, swapped(order, msgSize));
    }

    /** Returns the feature bits, unknown ones included. */
    public int features() {
        return features;
    }

    /** Tells whether all given feature bits are set. */
    public boolean hasFeature(int bits) {
        return (features & bits) == bits;
    }

    /** Returns the process id of the owner, 12345 for kernel nodes. */
    public int pid() {
        return pid;
    }

    /** Returns the sequence number, an unsigned 32-bit value. */
    public int sequence() {
        return sequence;
    }

    /** Returns the NIDs that are here, without the leading {@code 0@lo}: nid4 entries first, then large ones. Unmodifiable. */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the primary NID, or null if the block names none (spec 01 §8.5.1). */
    public @Nullable Nid primary() {
        int index = hasFeature(PRIMARY_LARGE) ? nid4Entries : 0;
        int end = hasFeature(PRIMARY_LARGE) ? entries.size() : nid4Entries;
        return index < end ? entries.get(index).nid() : null;
    }

    /** Tells whether the owner's block is longer than what was there to read. */
    public boolean isTruncated() {
        return truncated;
    }

    /** Returns the full size of the block as its owner announced it, bytes, without metadata; bounded by the limit given to the reader. */
    public int announcedBytes() {
        return announcedBytes;
    }

    /** Returns how many nid4 entries the block has as its owner announced it, loopback included; more than are here when truncated. */
    public int announcedInterfaces() {
        return announcedNid4;
    }

    /** Returns the owner's byte order. */
    public ByteOrder byteOrder() {
        return order;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof PingInfo other
                && order.equals(other.order)
                && features == other.features
                && pid == other.pid
                && sequence == other.sequence
                && announcedNid4 == other.announcedNid4
                && announcedBytes == other.announcedBytes
                && truncated == other.truncated
                && nid4Entries == other.nid4Entries
                && entries.equals(other.entries);
    }

    @Override
    public int hashCode() {
        return (features * 31 + sequence) * 31 + entries.hashCode();
    }

    /** Returns features, sequence number and NIDs for logs; a long list is cut after eight NIDs. */
    @Override
    public String toString() {
        int shown = Math.min(entries.size(), 8);
        return "ping info 0x" + Integer.toHexString(features) + " seq " + Integer.toUnsignedString(sequence) + " "
                + entries.subList(0, shown).stream().map(Entry::nid).toList()
                + (shown < entries.size() ? " and " + (entries.size() - shown) + " more" : "");
    }
}
