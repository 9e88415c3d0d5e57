package org.railyard.lnet.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;

/**
 * What a node says about itself in a ping reply or a push: features, sequence number, and its NIDs with their status
 * (spec 01 §7).
 *
 * <p>Immutable. A block that was read may be cut short, see {@link #isTruncated()}; it then holds the entries that
 * arrived whole. Nothing is checked about the NIDs of the entries: a peer may name one twice, or the wildcard, or the
 * loopback NID.
 */
public final class PingInfo {
    /** What a block begins with; entries of nid4 NIDs follow, the first of them the loopback NID's. */
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    LE32.withName("magic"), LE32.withName("features"), LE32.withName("pid"), LE32.withName("nnis"))
            .withName("lnet_ping_info");

    /** One nid4 entry. The first has the sequence number for its status, and the bytes of the whole block. */
    public static final StructLayout NID4_ENTRY = MemoryLayout.structLayout(
                    LE64.withName("nid"), LE32.withName("status"), LE32.withName("msg_size"))
            .withName("lnet_ni_status");

    /** A large entry without its address: status, then size, type and number of the NID. */
    public static final StructLayout LARGE_ENTRY_HEAD = MemoryLayout.structLayout(
                    LE32.withName("status"), BE32.withName("head"))
            .withName("lnet_ni_large_status");

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

    /** Made by {@link #of} and by {@link PingInfoCodec}. */
    PingInfo(
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
     * @param features feature bits; NI_STATUS is always set, LARGE_ADDR and PRIMARY_LARGE are set and cleared as the
     *     entries demand
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
        int bytes = PingInfoCodec.HEADER_BYTES + PingInfoCodec.NID4_ENTRY_BYTES;
        for (Entry entry : entries) {
            if (entry.nid().isAny() || entry.nid().isLoopback()) {
                throw new IllegalArgumentException(entry.nid() + " cannot be announced in a ping info");
            }
            if (entry.nid().isNid4()) {
                ordered.add(entry);
                bytes += PingInfoCodec.NID4_ENTRY_BYTES;
            }
        }
        int nid4 = ordered.size();
        for (Entry entry : entries) {
            if (!entry.nid().isNid4()) {
                ordered.add(entry);
                bytes += PingInfoCodec.largeEntryBytes(entry.nid().size());
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
     * @param maxInterfaces largest number of nid4 entries to believe, loopback included; 1 or more, usually {@link
     *     #MAX_INTERFACES}
     * @throws WireFormatException if it is no valid ping info (spec 01 §7.6) or shorter than its first entry
     */
    public static PingInfo read(MemorySegment from, long at, long length, int maxInterfaces)
            throws WireFormatException {
        return PingInfoCodec.read(from, at, length, maxInterfaces);
    }

    /** Returns the bytes that {@link #write} writes. */
    public int bytes() {
        int bytes = PingInfoCodec.HEADER_BYTES + PingInfoCodec.NID4_ENTRY_BYTES * (1 + nid4Entries);
        for (int i = nid4Entries; i < entries.size(); i++) {
            bytes += PingInfoCodec.largeEntryBytes(entries.get(i).nid().size());
        }
        return bytes;
    }

    /**
     * Writes the block: little-endian if it is our own, in its owner's byte order if it was read. A truncated one is
     * written as it came, with the counts of the whole block and the entries that are here.
     *
     * @param to at least {@code at + }{@link #bytes()} bytes long
     */
    public void write(MemorySegment to, long at) {
        PingInfoCodec.write(this, to, at);
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

    /**
     * Returns the NIDs that are here, without the leading {@code 0@lo}: nid4 entries first, then large ones.
     * Unmodifiable.
     */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the primary NID, or null if the block names none (spec 01 §8.5(1)). */
    public @Nullable Nid primary() {
        int index = hasFeature(PRIMARY_LARGE) ? nid4Entries : 0;
        int end = hasFeature(PRIMARY_LARGE) ? entries.size() : nid4Entries;
        return index < end ? entries.get(index).nid() : null;
    }

    /** Tells whether the owner's block is longer than what was there to read. */
    public boolean isTruncated() {
        return truncated;
    }

    /**
     * Returns the full size of the block as its owner announced it, bytes, without metadata; bounded by the limit given
     * to the reader.
     */
    public int announcedBytes() {
        return announcedBytes;
    }

    /**
     * Returns how many nid4 entries the block has as its owner announced it, loopback included; more than are here when
     * truncated.
     */
    public int announcedInterfaces() {
        return announcedNid4;
    }

    /** Returns how many of the entries stand in the nid4 part. */
    int nid4Entries() {
        return nid4Entries;
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
