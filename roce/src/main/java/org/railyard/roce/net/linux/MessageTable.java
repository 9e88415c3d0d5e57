package org.railyard.roce.net.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.railyard.base.wire.Wire;

/**
 * What {@code sendmmsg} and {@code recvmmsg} are told of messages ({@code struct mmsghdr}, on systems with addresses of
 * 64 bits): for each an address of the peer, a piece of memory, and a control message that says how long its segments
 * are. Not thread-safe.
 */
final class MessageTable {
    static final int AF_INET = 2;
    static final int SOL_UDP = 17;

    /** Control message of a send: length of the segments, 16 bits. */
    static final int UDP_SEGMENT = 103;

    /** Option of a socket, and control message of what came: length of the segments, 32 bits. */
    static final int UDP_GRO = 104;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfShort BIG_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt BIG_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);

    private static final StructLayout HEADER = MemoryLayout.structLayout(
                    LONG.withName("name"),
                    INT.withName("nameBytes"),
                    MemoryLayout.paddingLayout(4),
                    LONG.withName("pieces"),
                    LONG.withName("pieceCount"),
                    LONG.withName("control"),
                    LONG.withName("controlBytes"),
                    INT.withName("flags"),
                    MemoryLayout.paddingLayout(4),
                    INT.withName("bytes"),
                    MemoryLayout.paddingLayout(4))
            .withName("mmsghdr");

    private static final StructLayout DETAILS = MemoryLayout.structLayout(
                    SHORT.withName("family"),
                    BIG_SHORT.withName("port"),
                    BIG_INT.withName("ip"),
                    MemoryLayout.paddingLayout(8),
                    LONG.withName("piece"),
                    LONG.withName("pieceBytes"),
                    LONG.withName("controlLength"),
                    INT.withName("controlLevel"),
                    INT.withName("controlType"),
                    INT.withName("segment"),
                    MemoryLayout.paddingLayout(4 + 32))
            .withName("details");

    private static final long HEADER_BYTES = HEADER.byteSize();
    private static final long DETAILS_BYTES = DETAILS.byteSize();
    private static final long NAME = Wire.offsetOf(HEADER, "name");
    private static final long NAME_BYTES = Wire.offsetOf(HEADER, "nameBytes");
    private static final long PIECES = Wire.offsetOf(HEADER, "pieces");
    private static final long PIECE_COUNT = Wire.offsetOf(HEADER, "pieceCount");
    private static final long CONTROL = Wire.offsetOf(HEADER, "control");
    private static final long CONTROL_BYTES = Wire.offsetOf(HEADER, "controlBytes");
    private static final long BYTES = Wire.offsetOf(HEADER, "bytes");
    private static final long FAMILY = Wire.offsetOf(DETAILS, "family");
    private static final long PORT = Wire.offsetOf(DETAILS, "port");
    private static final long IP = Wire.offsetOf(DETAILS, "ip");
    private static final long PIECE = Wire.offsetOf(DETAILS, "piece");
    private static final long PIECE_BYTES = Wire.offsetOf(DETAILS, "pieceBytes");
    private static final long CONTROL_START = Wire.offsetOf(DETAILS, "controlLength");
    private static final long CONTROL_LEVEL = Wire.offsetOf(DETAILS, "controlLevel");
    private static final long CONTROL_TYPE = Wire.offsetOf(DETAILS, "controlType");
    private static final long SEGMENT = Wire.offsetOf(DETAILS, "segment");

    /** Bytes of {@code struct sockaddr_in}. */
    static final int ADDRESS_BYTES = 16;

    /** Room for control messages, bytes. */
    private static final long CONTROL_ROOM = DETAILS_BYTES - CONTROL_START;

    /** A control message of 16 bits, as it counts itself, and with its padding. */
    private static final long SEGMENT_CONTROL = SEGMENT - CONTROL_START + Short.BYTES;

    private static final long SEGMENT_CONTROL_ROOM = SEGMENT - CONTROL_START + Long.BYTES;
    private static final long GRO_CONTROL = SEGMENT - CONTROL_START + Integer.BYTES;

    /** Bytes of {@code struct iovec}. */
    private static final long PIECE_ROOM = 2 * Long.BYTES;

    private final MemorySegment headers;
    private final MemorySegment details;
    private final MemorySegment pieces;
    private int pieceCount;

    /** Makes a table of so many messages in one piece. */
    MessageTable(int messages) {
        this(messages, 0);
    }

    /**
     * Makes a table.
     *
     * @param messages how many there are
     * @param morePieces of messages that are not in one piece, how many there may be
     */
    MessageTable(int messages, int morePieces) {
        pieces = Arena.ofAuto().allocate(Math.max(1, morePieces) * PIECE_ROOM, Long.BYTES);
        headers = Arena.ofAuto().allocate(messages * HEADER_BYTES, Long.BYTES);
        details = Arena.ofAuto().allocate(messages * DETAILS_BYTES, Long.BYTES);
        for (int i = 0; i < messages; i++) {
            long header = i * HEADER_BYTES;
            long detail = i * DETAILS_BYTES;
            headers.set(LONG, header + NAME, details.address() + detail);
            headers.set(LONG, header + CONTROL, details.address() + detail + CONTROL_START);
            details.set(SHORT, detail + FAMILY, (short) AF_INET);
        }
    }

    /** Returns the address of a message and those behind it. */
    long address(int message) {
        return headers.address() + message * HEADER_BYTES;
    }

    /** Returns the address of the peer's address of a message. */
    long peerAddress(int message) {
        return details.address() + message * DETAILS_BYTES;
    }

    /** Says whom a message is for. */
    void setPeer(int message, int ip, int port) {
        long detail = message * DETAILS_BYTES;
        details.set(BIG_INT, detail + IP, ip);
        details.set(BIG_SHORT, detail + PORT, (short) port);
    }

    /** Says where a message is that is in one piece. */
    void setPiece(int message, long address, long bytes) {
        long detail = message * DETAILS_BYTES;
        details.set(LONG, detail + PIECE, address);
        details.set(LONG, detail + PIECE_BYTES, bytes);
        setPieces(message, details.address() + detail + PIECE, 1);
    }

    private void setPieces(int message, long address, int count) {
        headers.set(LONG, message * HEADER_BYTES + PIECES, address);
        headers.set(LONG, message * HEADER_BYTES + PIECE_COUNT, count);
    }

    /** Forgets pieces of messages that are not in one. */
    void clearPieces() {
        pieceCount = 0;
    }

    /** Appends a piece to those of the next message that is given its pieces. */
    void addPiece(long address, long bytes) {
        pieces.set(LONG, pieceCount * PIECE_ROOM, address);
        pieces.set(LONG, pieceCount++ * PIECE_ROOM + Long.BYTES, bytes);
    }

    /** Returns how many pieces were appended. */
    int pieceCount() {
        return pieceCount;
    }

    /** Says that a message is in the pieces that were appended from a number on. */
    void takePieces(int message, int first) {
        setPieces(message, pieces.address() + first * PIECE_ROOM, pieceCount - first);
    }

    /**
     * Prepares a message to be sent.
     *
     * @param segment length of its segments, bytes; 0 if it is to leave as one
     */
    void prepareSend(int message, int segment) {
        long header = message * HEADER_BYTES;
        long detail = message * DETAILS_BYTES;
        headers.set(INT, header + NAME_BYTES, ADDRESS_BYTES);
        headers.set(LONG, header + CONTROL_BYTES, segment == 0 ? 0 : SEGMENT_CONTROL_ROOM);
        if (segment > 0) {
            details.set(LONG, detail + CONTROL_START, SEGMENT_CONTROL);
            details.set(INT, detail + CONTROL_LEVEL, SOL_UDP);
            details.set(INT, detail + CONTROL_TYPE, UDP_SEGMENT);
            details.set(SHORT, detail + SEGMENT, (short) segment);
        }
    }

    /** Prepares a message to be received: the system has written how much there was of each part. */
    void prepareReceive(int message) {
        headers.set(INT, message * HEADER_BYTES + NAME_BYTES, ADDRESS_BYTES);
        headers.set(LONG, message * HEADER_BYTES + CONTROL_BYTES, CONTROL_ROOM);
    }

    /** Returns how many bytes came. */
    int bytes(int message) {
        return headers.get(INT, message * HEADER_BYTES + BYTES);
    }

    /** Returns who sent what came. */
    int peerIp(int message) {
        return details.get(BIG_INT, message * DETAILS_BYTES + IP);
    }

    /** Returns the port that what came was sent from. */
    int peerPort(int message) {
        return details.get(BIG_SHORT, message * DETAILS_BYTES + PORT) & 0xFFFF;
    }

    /** Returns how long the segments of what came are, bytes; 0 if it has none, but is one datagram. */
    int segment(int message) {
        long detail = message * DETAILS_BYTES;
        return headers.get(LONG, message * HEADER_BYTES + CONTROL_BYTES) >= GRO_CONTROL
                        && details.get(LONG, detail + CONTROL_START) == GRO_CONTROL
                        && details.get(INT, detail + CONTROL_LEVEL) == SOL_UDP
                        && details.get(INT, detail + CONTROL_TYPE) == UDP_GRO
                ? details.get(INT, detail + SEGMENT)
                : 0;
    }
}
