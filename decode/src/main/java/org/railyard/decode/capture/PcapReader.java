package org.railyard.decode.capture;

import org.jspecify.annotations.Nullable;

/**
 * Reads pcap files: a header of 24 bytes, then records of a 16-byte header and the packet.
 *
 * <p>Records have no mark of their own. Behind a record that cannot be true the next one is searched for: a header
 * whose fields are plausible and which leads to another such header or to the end of the file.
 */
final class PcapReader implements CaptureReader {
    static final long MICROSECONDS = 0xa1b2c3d4L;
    static final long NANOSECONDS = 0xa1b23c4dL;

    private static final int FILE_HEADER = 24;
    private static final int VERSION_MAJOR = 4;
    private static final int LINK_TYPE = 20;

    private static final int RECORD_HEADER = 16;
    private static final int FRACTION = 4;
    private static final int CAPTURED_LENGTH = 8;
    private static final int ORIGINAL_LENGTH = 12;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long SECONDS_PER_DAY = 86_400;

    private final FileView file;
    private final CaptureProblems problems;
    private final int linkType;
    /** Values of the fraction in a second. */
    private final long fractions;

    private long at = FILE_HEADER;
    private long packets;
    private long lastSecond = -1;

    private PcapReader(FileView file, CaptureProblems problems) {
        this.file = file;
        this.problems = problems;
        this.fractions = file.u32(0) == NANOSECONDS ? NANOS_PER_SECOND : 1_000_000;
        // The upper bits of the word say how long the frame check sequence is.
        this.linkType = (int) file.u32(LINK_TYPE) & 0xffff;
    }

    static PcapReader open(FileView file, CaptureProblems problems) throws NotACaptureException {
        if (!file.has(FILE_HEADER)) {
            throw new NotACaptureException(
                    "found a pcap file of " + file.size() + " bytes, expected at least " + FILE_HEADER);
        }
        if (file.u16(VERSION_MAJOR) != 2) {
            problems.report(VERSION_MAJOR, "pcap version " + file.u16(VERSION_MAJOR), "2");
        }
        return new PcapReader(file, problems);
    }

    @Override
    public @Nullable CapturedPacket next() {
        while (file.has(at + 1)) {
            file.bytes().release(at);
            if (!isSound()) {
                at = resynchronise(at + 1);
                continue;
            }
            long start = at;
            long second = file.u32(start);
            long length = file.u32(start + CAPTURED_LENGTH);
            long time = second * NANOS_PER_SECOND + file.u32(start + FRACTION) * (NANOS_PER_SECOND / fractions);
            lastSecond = second;
            at = start + RECORD_HEADER + length;
            return new CapturedPacket(packets++, start, time, linkType, file.slice(start + RECORD_HEADER, length));
        }
        return null;
    }

    /** Checks the record that starts here and reports what is wrong with it. */
    private boolean isSound() {
        if (!file.has(at + RECORD_HEADER)) {
            problems.report(
                    at,
                    (file.size() - at) + " bytes at the end of the file",
                    "a packet header of " + RECORD_HEADER + " bytes");
            return false;
        }
        long length = file.u32(at + CAPTURED_LENGTH);
        if (length > MAX_PACKET) {
            problems.report(at, "a packet of " + length + " bytes", "at most " + MAX_PACKET);
            return false;
        }
        if (!file.has(at + RECORD_HEADER + length)) {
            problems.report(
                    at,
                    "a packet of " + length + " bytes",
                    "at most the " + (file.size() - at - RECORD_HEADER) + " bytes left in the file");
            return false;
        }
        long fraction = file.u32(at + FRACTION);
        if (fraction >= fractions) {
            problems.report(at, "a time with fraction " + fraction, "below " + fractions);
            return false;
        }
        return true;
    }

    private long resynchronise(long from) {
        for (long candidate = from; file.has(candidate + RECORD_HEADER); candidate++) {
            file.bytes().release(candidate);
            if (isPlausible(candidate)) {
                long next = candidate + RECORD_HEADER + file.u32(candidate + CAPTURED_LENGTH);
                if (!file.has(next + 1) || isPlausible(next)) {
                    return candidate;
                }
            }
        }
        return file.size();
    }

    private boolean isPlausible(long candidate) {
        if (!file.has(candidate + RECORD_HEADER)) {
            return false;
        }
        long second = file.u32(candidate);
        long length = file.u32(candidate + CAPTURED_LENGTH);
        long original = file.u32(candidate + ORIGINAL_LENGTH);
        return file.u32(candidate + FRACTION) < fractions
                && length > 0
                && length <= original
                && original <= MAX_PACKET
                && (lastSecond < 0 || Math.abs(second - lastSecond) <= SECONDS_PER_DAY)
                && file.has(candidate + RECORD_HEADER + length);
    }
}
