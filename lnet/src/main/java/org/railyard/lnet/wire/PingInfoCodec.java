package org.railyard.lnet.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** The layout of a ping info, spec 01 §7.1 to §7.4: read in either byte order, written in the order of its owner. */
final class PingInfoCodec {
    static final int HEADER_BYTES = (int) PingInfo.HEADER.byteSize();
    static final int NID4_ENTRY_BYTES = (int) PingInfo.NID4_ENTRY.byteSize();
    private static final int LARGE_HEAD_BYTES = (int) PingInfo.LARGE_ENTRY_HEAD.byteSize();
    private static final int MAX_LARGE_ENTRY_BYTES = LARGE_HEAD_BYTES + 16;

    private static final VarHandle HEADER_MAGIC = Wire.field(PingInfo.HEADER, "magic");
    private static final VarHandle HEADER_FEATURES = Wire.field(PingInfo.HEADER, "features");
    private static final VarHandle HEADER_PID = Wire.field(PingInfo.HEADER, "pid");
    private static final VarHandle HEADER_NNIS = Wire.field(PingInfo.HEADER, "nnis");
    private static final VarHandle ENTRY_NID = Wire.field(PingInfo.NID4_ENTRY, "nid");
    private static final VarHandle ENTRY_STATUS = Wire.field(PingInfo.NID4_ENTRY, "status");
    private static final VarHandle ENTRY_MSG_SIZE = Wire.field(PingInfo.NID4_ENTRY, "msg_size");
    private static final VarHandle LARGE_STATUS = Wire.field(PingInfo.LARGE_ENTRY_HEAD, "status");
    private static final VarHandle LARGE_HEAD = Wire.field(PingInfo.LARGE_ENTRY_HEAD, "head");

    private PingInfoCodec() {}

    /** See {@link PingInfo#read}. */
    static PingInfo read(MemorySegment from, long at, long length, int maxInterfaces) throws WireFormatException {
        if (length < HEADER_BYTES + NID4_ENTRY_BYTES) {
            throw new WireFormatException(
                    "ping info of " + length + " bytes, expected at least " + (HEADER_BYTES + NID4_ENTRY_BYTES));
        }
        int magic = (int) HEADER_MAGIC.get(from, at);
        ByteOrder order;
        if (magic == PingInfo.MAGIC) {
            order = ByteOrder.LITTLE_ENDIAN;
        } else if (magic == Integer.reverseBytes(PingInfo.MAGIC)) {
            order = ByteOrder.BIG_ENDIAN;
        } else {
            throw new WireFormatException("ping info magic is 0x" + Integer.toHexString(magic) + ", expected 0x"
                    + Integer.toHexString(PingInfo.MAGIC));
        }
        int features = swapped(order, (int) HEADER_FEATURES.get(from, at));
        if ((features & PingInfo.NI_STATUS) == 0) {
            throw new WireFormatException("ping info features 0x" + Integer.toHexString(features)
                    + " lack NI_STATUS (0x" + Integer.toHexString(PingInfo.NI_STATUS) + ")");
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

        List<PingInfo.Entry> entries = new ArrayList<>();
        long here = Math.min(announced, length);
        readNid4Entries(from, at, order, nnis, here, entries);
        int nid4 = entries.size();
        if ((features & PingInfo.LARGE_ADDR) != 0) {
            readLargeEntries(from, at, order, HEADER_BYTES + (long) NID4_ENTRY_BYTES * nnis, here, entries);
        }
        return new PingInfo(order, features, pid, sequence, nnis, announced, length < announced, nid4, entries);
    }

    /** Full size of a block; a total smaller than its own nid4 part means that there are no large entries. */
    private static int announcedBytes(int features, int nnis, int msgSize, int maxInterfaces)
            throws WireFormatException {
        long nid4Part = HEADER_BYTES + (long) NID4_ENTRY_BYTES * nnis;
        if ((features & PingInfo.LARGE_ADDR) == 0) {
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
            MemorySegment from, long at, ByteOrder order, int nnis, long here, List<PingInfo.Entry> into) {
        for (int i = 1; i < nnis && HEADER_BYTES + (i + 1L) * NID4_ENTRY_BYTES <= here; i++) {
            long entry = at + HEADER_BYTES + (long) i * NID4_ENTRY_BYTES;
            Nid nid = Nid.ofNid4(swapped(order, (long) ENTRY_NID.get(from, entry)));
            into.add(new PingInfo.Entry(nid, swapped(order, (int) ENTRY_STATUS.get(from, entry))));
        }
    }

    private static void readLargeEntries(
            MemorySegment from, long at, ByteOrder order, long start, long here, List<PingInfo.Entry> into) {
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
                into.add(new PingInfo.Entry(Nid.of(new Net(head & 0xffffff), address), swapped(order, (int)
                        LARGE_STATUS.get(from, at + offset))));
            }
            offset += bytes;
        }
    }

    /** Returns the bytes of a large entry whose NID has this size field. */
    static int largeEntryBytes(int size) {
        return LARGE_HEAD_BYTES + 4 + size + 3 & ~3;
    }

    private static int swapped(ByteOrder order, int word) {
        return order == ByteOrder.LITTLE_ENDIAN ? word : Integer.reverseBytes(word);
    }

    private static long swapped(ByteOrder order, long word) {
        return order == ByteOrder.LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    /** See {@link PingInfo#write}. */
    static void write(PingInfo info, MemorySegment to, long at) {
        ByteOrder order = info.byteOrder();
        HEADER_MAGIC.set(to, at, swapped(order, PingInfo.MAGIC));
        HEADER_FEATURES.set(to, at, swapped(order, info.features()));
        HEADER_PID.set(to, at, swapped(order, info.pid()));
        HEADER_NNIS.set(to, at, swapped(order, info.announcedInterfaces()));
        long offset = at + HEADER_BYTES;
        int total = info.hasFeature(PingInfo.LARGE_ADDR) ? info.announcedBytes() : 0;
        writeNid4Entry(to, offset, order, Nid.LOOPBACK, info.sequence(), total);
        offset += NID4_ENTRY_BYTES;
        List<PingInfo.Entry> entries = info.entries();
        for (int i = 0; i < entries.size(); i++) {
            PingInfo.Entry entry = entries.get(i);
            if (i < info.nid4Entries()) {
                writeNid4Entry(to, offset, order, entry.nid(), entry.status(), 0);
                offset += NID4_ENTRY_BYTES;
            } else {
                offset += writeLargeEntry(to, offset, order, entry);
            }
        }
    }

    private static void writeNid4Entry(
            MemorySegment to, long offset, ByteOrder order, Nid nid, int status, int msgSize) {
        ENTRY_NID.set(to, offset, swapped(order, nid.nid4()));
        ENTRY_STATUS.set(to, offset, swapped(order, status));
        ENTRY_MSG_SIZE.set(to, offset, swapped(order, msgSize));
    }

    private static int writeLargeEntry(MemorySegment to, long offset, ByteOrder order, PingInfo.Entry entry) {
        int bytes = largeEntryBytes(entry.nid().size());
        to.asSlice(offset, bytes).fill((byte) 0);
        LARGE_STATUS.set(to, offset, swapped(order, entry.status()));
        LARGE_HEAD.set(to, offset, entry.nid().head());
        byte[] address = entry.nid().address();
        MemorySegment.copy(address, 0, to, ValueLayout.JAVA_BYTE, offset + LARGE_HEAD_BYTES, address.length);
        return bytes;
    }
}
