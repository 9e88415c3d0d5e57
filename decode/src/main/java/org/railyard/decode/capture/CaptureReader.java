package org.railyard.decode.capture;

import java.nio.ByteOrder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Takes the packets out of a capture one after the other. Damage is reported with its offset and stepped over. Packets
 * are views of a file, and copies of what a stream brings. Not thread-safe.
 */
public sealed interface CaptureReader permits PcapReader, PcapngReader {
    /** Longest packet that is believed, bytes; offloading hands packets far above the link's MTU to a capture. */
    int MAX_PACKET = 1 << 20;

    /** Returns the next packet, or null at the end of the capture; waits for a stream. */
    @Nullable
    CapturedPacket next();

    /**
     * Opens a capture of either format and byte order.
     *
     * @throws NotACaptureException if it starts like neither
     */
    static CaptureReader open(CaptureBytes file, CaptureProblems problems) throws NotACaptureException {
        if (!file.has(Integer.BYTES)) {
            throw new NotACaptureException(
                    "found a file of " + file.size() + " bytes, expected a pcap or pcapng capture");
        }
        long magic = new FileView(file, ByteOrder.BIG_ENDIAN).u32(0);
        if (magic == PcapngReader.SECTION_HEADER) {
            return new PcapngReader(file, problems);
        }
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            FileView view = new FileView(file, order);
            if (view.u32(0) == PcapReader.MICROSECONDS || view.u32(0) == PcapReader.NANOSECONDS) {
                return PcapReader.open(view, problems);
            }
        }
        throw new NotACaptureException(String.format(
                Locale.ROOT,
                "found a file that starts with 0x%08x, expected the magic of a pcap or pcapng capture",
                magic));
    }
}
