package org.railyard.decode;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Tells whether bytes in the middle of a stream look like the start of a frame: senders start most frames with a new
 * segment.
 */
final class FrameGuess {
    /** V2 is told from V3 by its checksums; without them the difference does not show. */
    private static final List<ProtocolVersion> CANDIDATES =
            List.of(ProtocolVersion.V3, ProtocolVersion.V4, ProtocolVersion.V1);

    private FrameGuess() {}

    /**
     * Returns the version whose frames these bytes look like, or null.
     *
     * @param known the version of the connection, if it is known
     */
    static @Nullable ProtocolVersion versionOf(MemorySegment bytes, @Nullable ProtocolVersion known, ByteOrder order) {
        if (known != null) {
            return looksLike(bytes, known, order) || isNoop(bytes, known, order) ? known : null;
        }
        for (ProtocolVersion version : CANDIDATES) {
            if (looksLike(bytes, version, order)) {
                return version == ProtocolVersion.V3 && frameOf(bytes, order).checksum() != 0
                        ? ProtocolVersion.V2
                        : version;
            }
        }
        return null;
    }

    private static boolean isNoop(MemorySegment bytes, ProtocolVersion version, ByteOrder order) {
        return version.hasFrameHeader()
                && bytes.byteSize() >= FrameHeader.BYTES
                && frameOf(bytes, order).type() == FrameHeader.NOOP;
    }

    private static boolean looksLike(MemorySegment bytes, ProtocolVersion version, ByteOrder order) {
        if (bytes.byteSize() < version.messageHeadBytes()) {
            return false;
        }
        long at = 0;
        if (version.hasFrameHeader()) {
            if (frameOf(bytes, order).type() != FrameHeader.LNET) {
                return false;
            }
            at = FrameHeader.BYTES;
        }
        LNetHeader header = new LNetHeader();
        try {
            header.read(bytes, at, version.largeNids());
        } catch (WireFormatException e) {
            return false;
        }
        return hasLegalLength(header)
                && header.type() != MessageType.HELLO
                && isRealNid(header.srcNid())
                && isRealNid(header.destNid())
                && (header.srcPid() == ProcessId.LUSTRE_PID || header.destPid() == ProcessId.LUSTRE_PID);
    }

    private static boolean hasLegalLength(LNetHeader header) {
        boolean carries = header.type() == MessageType.PUT || header.type() == MessageType.REPLY;
        return header.payloadLength() >= 0 && header.payloadLength() <= (carries ? Wire.MTU : 0);
    }

    private static boolean isRealNid(Nid nid) {
        return nid.net().type().isPresent() && (nid.addrHigh() | nid.addrLow()) != 0;
    }

    /** Returns the frame header that bytes start with; one of type 0 if they cannot be one. */
    private static Frame frameOf(MemorySegment bytes, ByteOrder order) {
        FrameHeader frame = new FrameHeader();
        try {
            frame.read(bytes, 0, order);
            return new Frame(frame.type(), frame.checksum());
        } catch (WireFormatException e) {
            return new Frame(0, 0);
        }
    }

    private record Frame(int type, int checksum) {}
}
