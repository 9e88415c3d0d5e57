package org.railyard.socklnd.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The checksum of a frame: reflected CRC-32 without the final inversion (spec 02 §6.3). On V2 it covers frame header
 * with a checksum of 0, LNet header and payload; a V3 or V4 receiver verifies it over the payload alone. Not
 * thread-safe; one is reused per connection.
 */
public final class FrameChecksum {
    private static final byte[] NO_CHECKSUM = new byte[(int) (FrameHeader.COOKIE0_OFFSET - FrameHeader.CSUM_OFFSET)];

    private final CRC32 crc = new CRC32();

    /** Starts anew. */
    public void reset() {
        crc.reset();
    }

    /** Adds a frame header, taking its checksum for 0. */
    public void addFrameHeader(MemorySegment from, long at) {
        add(from, at, FrameHeader.CSUM_OFFSET);
        crc.update(NO_CHECKSUM);
        add(from, at + FrameHeader.COOKIE0_OFFSET, FrameHeader.BYTES - FrameHeader.COOKIE0_OFFSET);
    }

    /** Adds bytes of memory. */
    public void add(MemorySegment from, long at, long bytes) {
        crc.update(from.asSlice(at, bytes).asByteBuffer());
    }

    /** Adds the remaining bytes of a buffer; its position moves to its limit. */
    public void add(ByteBuffer bytes) {
        crc.update(bytes);
    }

    /** Returns the checksum of what was added since the last reset; {@code 0xffffffff} for nothing. */
    public int value() {
        return (int) ~crc.getValue();
    }
}
