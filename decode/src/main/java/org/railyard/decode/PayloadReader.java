package org.railyard.decode;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.decode.Element.Checksum;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Follows the payload of one message: counts it, checks its checksum, and keeps it if it may be a ping info. Bulk is
 * not kept.
 */
final class PayloadReader {
    /**
     * Longest payload that is looked at as a ping info: the largest block there can be, and room for metadata behind
     * it.
     */
    private static final int MAX_PING_INFO = 256 << 10;

    private final @Nullable FrameHeader frame;
    private final ProtocolVersion version;
    private final LNetHeader header;
    private final @Nullable FrameChecksum checksum;
    private final @Nullable Accumulator kept;
    private long remaining;
    private long captured;
    private boolean whole = true;

    /**
     * Starts behind the headers of a message.
     *
     * @param head frame header, if the version has one, and LNet header
     */
    PayloadReader(@Nullable FrameHeader frame, ProtocolVersion version, LNetHeader header, MemorySegment head) {
        this.frame = frame;
        this.version = version;
        this.header = header;
        this.remaining = Integer.toUnsignedLong(header.payloadLength());
        this.kept = mayBePingInfo() ? new Accumulator() : null;
        this.checksum = frame == null || frame.checksum() == 0 ? null : new FrameChecksum();
        if (checksum != null && version.checksumCoversFrame()) {
            checksum.addFrameHeader(head, 0);
            checksum.add(head, FrameHeader.BYTES, head.byteSize() - FrameHeader.BYTES);
        }
    }

    private boolean mayBePingInfo() {
        return Long.compareUnsigned(remaining, MAX_PING_INFO) <= 0
                && (header.type() == MessageType.REPLY || (header.type() == MessageType.PUT && isPush()));
    }

    private boolean isPush() {
        return header.portal() == Wire.RESERVED_PORTAL && header.matchBits() == Wire.PING_MATCH_BITS;
    }

    /** Takes payload from a chunk; returns how many bytes it took. */
    long take(MemorySegment chunk, long at) {
        long bytes = Math.min(remaining, chunk.byteSize() - at);
        if (bytes == 0) {
            return 0;
        }
        if (kept != null) {
            kept.fill(chunk, at, (int) (kept.size() + bytes));
        }
        if (checksum != null) {
            checksum.add(chunk, at, bytes);
        }
        captured += bytes;
        remaining -= bytes;
        return bytes;
    }

    /** Passes over payload that the capture lacks; returns how many of {@code bytes} belong to this payload. */
    long skip(long bytes) {
        long skipped = Math.min(remaining, bytes);
        whole = false;
        remaining -= skipped;
        return skipped;
    }

    boolean isComplete() {
        return remaining == 0;
    }

    /** Returns the message with what is known of its payload. */
    Element.Message finish() {
        boolean complete = whole && remaining == 0;
        Checksum sum = checksum == null || frame == null
                ? Checksum.NONE
                : complete ? Checksum.of(frame.checksum(), checksum.value()) : Checksum.UNKNOWN;
        PingInfo ping = null;
        String flaw = null;
        if (kept != null && complete && (header.type() == MessageType.PUT || startsLikePingInfo(kept.view()))) {
            try {
                ping = PingInfo.read(kept.view(), 0, kept.size(), PingInfo.MAX_INTERFACES);
            } catch (WireFormatException e) {
                flaw = e.getMessage();
            }
        }
        return new Element.Message(frame, version, header, captured, sum, ping, flaw);
    }

    /** A REPLY does not say what it answers, and its GET may not be in the capture; but ping infos have a magic. */
    private static boolean startsLikePingInfo(MemorySegment payload) {
        if (payload.byteSize() < Integer.BYTES) {
            return false;
        }
        int magic = payload.get(Wire.LE32, 0);
        return magic == PingInfo.MAGIC || Integer.reverseBytes(magic) == PingInfo.MAGIC;
    }
}
