package org.railyard.decode.capture;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads pcapng files: sections of blocks; packets are in enhanced, simple and (old) packet blocks, and what their
 * numbers mean is in interface blocks. Other blocks are stepped over, options too, except those about time.
 *
 * <p>Behind a block that cannot be true the next one is searched for: a known type whose two length fields agree.
 */
final class PcapngReader implements CaptureReader {
    static final long SECTION_HEADER = 0x0a0d0d0aL;

    /** Longest block that is believed, bytes. */
    static final int MAX_BLOCK = 16 << 20;

    /** Most interfaces in one section. */
    static final int MAX_INTERFACES = 4096;

    private static final int INTERFACE = 1;
    private static final int PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    /** The types from interface description to enhanced packet are numbered without a gap. */
    private static final int LAST_BASIC_TYPE = ENHANCED_PACKET;

    private static final long BYTE_ORDER_MAGIC = 0x1a2b3c4dL;
    private static final int MIN_BLOCK = 12;
    private static final int MIN_SECTION_HEADER = 28;
    private static final int BODY = 8;
    private static final int TRAILER = 4;

    private static final int OPTION_HEADER = 4;
    private static final int OPTION_END = 0;
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int OPTION_TIME_OFFSET = 14;

    private record Interface(int linkType, long snapLength, TimestampResolution resolution) {}

    private final CaptureProblems problems;
    private final List<Interface> interfaces = new ArrayList<>();
    private FileView file;
    private long at;
    private long packets;
    private long lastTime;

    PcapngReader(CaptureBytes bytes, CaptureProblems problems) {
        this.file = new FileView(bytes, ByteOrder.LITTLE_ENDIAN);
        this.problems = problems;
    }

    @Override
    public @Nullable CapturedPacket next() {
        while (file.has(at + 1)) {
            long start = at;
            file.bytes().release(start);
            FileView view = orderAt(start);
            String flaw = view == null ? "a section header without a byte-order magic" : flaw(view, start);
            if (view == null || flaw != null) {
                problems.report(start, String.valueOf(flaw), "a block whose lengths agree and lie inside the file");
                at = resynchronise(start + 1);
                continue;
            }
            file = view;
            long length = file.u32(start + 4);
            at = start + length;
            CapturedPacket packet = readBlock(start, length);
            if (packet != null) {
                return packet;
            }
        }
        return null;
    }

    /**
     * Returns the file in the byte order that holds at a block, or null if it is a section header that does not tell.
     */
    private @Nullable FileView orderAt(long start) {
        if (!file.has(start + MIN_BLOCK) || file.u32(start) != SECTION_HEADER) {
            return file;
        }
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            FileView view = new FileView(file.bytes(), order);
            if (view.u32(start + BODY) == BYTE_ORDER_MAGIC) {
                return view;
            }
        }
        return null;
    }

    /** Returns what is wrong with the frame of a block, or null. */
    private static @Nullable String flaw(FileView view, long start) {
        if (!view.has(start + MIN_BLOCK)) {
            return (view.size() - start) + " bytes at the end of the file";
        }
        long length = view.u32(start + 4);
        if (length < MIN_BLOCK || length % 4 != 0) {
            return "a block of " + length + " bytes";
        }
        if (length > MAX_BLOCK) {
            return "a block of " + length + " bytes, more than " + MAX_BLOCK;
        }
        if (!view.has(start + length)) {
            return "a block of " + length + " bytes with " + (view.size() - start) + " bytes left in the file";
        }
        long again = view.u32(start + length - TRAILER);
        return again == length ? null : "a block of " + length + " bytes that ends with length " + again;
    }

    private long resynchronise(long from) {
        for (long candidate = from; file.has(candidate + MIN_BLOCK); candidate++) {
            file.bytes().release(candidate);
            long type = file.u32(candidate);
            if (type == SECTION_HEADER || (type >= INTERFACE && type <= LAST_BASIC_TYPE)) {
                FileView view = orderAt(candidate);
                if (view != null && flaw(view, candidate) == null) {
                    return candidate;
                }
            }
        }
        return file.size();
    }

    private @Nullable CapturedPacket readBlock(long start, long length) {
        long type = file.u32(start);
        if (type == SECTION_HEADER) {
            interfaces.clear();
            if (length < MIN_SECTION_HEADER) {
                problems.report(start, "a section header of " + length + " bytes", "at least " + MIN_SECTION_HEADER);
            }
            return null;
        }
        if (type == INTERFACE) {
            readInterface(start, length);
            return null;
        }
        // Where the packet's fields stand in its block: interface, time, lengths, data.
        if (type == ENHANCED_PACKET && hasRoom(start, length, "enhanced packet", 20)) {
            return readPacket(start, length, file.u32(start + BODY));
        }
        if (type == PACKET && hasRoom(start, length, "packet", 20)) {
            return readPacket(start, length, file.u16(start + BODY));
        }
        if (type == SIMPLE_PACKET && hasRoom(start, length, "simple packet", 4)) {
            return readSimplePacket(start, length);
        }
        return null;
    }

    private boolean hasRoom(long start, long length, String what, int fields) {
        int least = MIN_BLOCK + fields;
        if (length < least) {
            problems.report(start, "a block (" + what + ") of " + length + " bytes", "at least " + least);
            return false;
        }
        return true;
    }

    private void readInterface(long start, long length) {
        if (!hasRoom(start, length, "interface description", 8)) {
            return;
        }
        if (interfaces.size() == MAX_INTERFACES) {
            problems.report(start, "one interface more", "at most " + MAX_INTERFACES + " in a section");
            return;
        }
        TimestampResolution resolution = readTimeOptions(start, start + BODY + 8, start + length - TRAILER);
        interfaces.add(new Interface(file.u16(start + BODY), file.u32(start + BODY + 4), resolution));
    }

    private TimestampResolution readTimeOptions(long start, long from, long end) {
        TimestampResolution resolution = TimestampResolution.MICROSECONDS;
        long option = from;
        while (option + OPTION_HEADER <= end) {
            int code = file.u16(option);
            int size = file.u16(option + 2);
            long value = option + OPTION_HEADER;
            if (code == OPTION_END) {
                return resolution;
            }
            if (value + size > end) {
                problems.report(
                        start, "interface option " + code + " of " + size + " bytes", "at most " + (end - value));
                return resolution;
            }
            if (code == OPTION_TIME_RESOLUTION && size == 1) {
                int resolutionByte = file.u8(value);
                if (TimestampResolution.isUsable(resolutionByte)) {
                    resolution = resolution.withOption(resolutionByte);
                } else {
                    problems.report(
                            start,
                            String.format(Locale.ROOT, "time resolution 0x%02x", resolutionByte),
                            "10^-18 s or 2^-63 s at the finest");
                }
            } else if (code == OPTION_TIME_OFFSET && size == 8) {
                resolution = resolution.withOffset(u64(value, file.order() == ByteOrder.BIG_ENDIAN ? 0 : 4));
            }
            option = value + (size + 3 & ~3);
        }
        return resolution;
    }

    /** Reads 64 bits whose upper half stands {@code highAt} bytes from the start. */
    private long u64(long at, int highAt) {
        return file.u32(at + highAt) << 32 | file.u32(at + 4 - highAt);
    }

    private @Nullable CapturedPacket readPacket(long start, long length, long interfaceIndex) {
        if (interfaceIndex >= interfaces.size()) {
            problems.report(
                    start,
                    "a packet of interface " + interfaceIndex,
                    "one of the " + interfaces.size() + " interfaces described");
            return null;
        }
        Interface from = interfaces.get((int) interfaceIndex);
        long data = start + BODY + 20;
        long captured = file.u32(start + BODY + 12);
        long room = start + length - TRAILER - data;
        if (captured > Math.min(room, MAX_PACKET)) {
            problems.report(start, "a packet of " + captured + " bytes", "at most " + Math.min(room, MAX_PACKET));
            return null;
        }
        // Unlike other 64-bit fields, the time is written upper half first in either byte order.
        lastTime = from.resolution().nanos(u64(start + BODY + 4, 0));
        return new CapturedPacket(packets++, start, lastTime, from.linkType(), file.slice(data, captured));
    }

    private @Nullable CapturedPacket readSimplePacket(long start, long length) {
        if (interfaces.isEmpty()) {
            problems.report(start, "a simple packet", "an interface description in front of it");
            return null;
        }
        Interface from = interfaces.getFirst();
        long data = start + BODY + 4;
        long captured = Math.min(file.u32(start + BODY), start + length - TRAILER - data);
        if (from.snapLength() != 0) {
            captured = Math.min(captured, from.snapLength());
        }
        if (captured > MAX_PACKET) {
            problems.report(start, "a packet of " + captured + " bytes", "at most " + MAX_PACKET);
            return null;
        }
        // A simple packet has no time; it shares that of the one before.
        return new CapturedPacket(packets++, start, lastTime, from.linkType(), file.slice(data, captured));
    }
}
