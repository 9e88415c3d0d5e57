package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.LE16;
import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;

/**
 * What two nodes agree on when they connect (spec 20 §3.2).
 *
 * @param queueDepth messages that may be sent without a returned credit, 0…65535
 * @param maxFragments fragments of a descriptor, 0…65535
 * @param maxMessageBytes size of a message with its header, unsigned
 */
public record ConnectionParameters(int queueDepth, int maxFragments, int maxMessageBytes) {
    /** The structure. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    LE16.withName("queue_depth"), LE16.withName("max_frags"), LE32.withName("max_msg_size"))
            .withName("kib_connparams");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    private static final long QUEUE_DEPTH = Wire.offsetOf(LAYOUT, "queue_depth");
    private static final long MAX_FRAGS = Wire.offsetOf(LAYOUT, "max_frags");
    private static final long MAX_MSG_SIZE = Wire.offsetOf(LAYOUT, "max_msg_size");

    /** Checks that the numbers fit into their fields. */
    public ConnectionParameters {
        if (queueDepth >>> 16 != 0 || maxFragments >>> 16 != 0) {
            throw new IllegalArgumentException(
                    "queue depth " + queueDepth + " and " + maxFragments + " fragments, expected 0…65535");
        }
    }

    /** Returns parameters with the usual size of messages. */
    public static ConnectionParameters of(int queueDepth, int maxFragments) {
        return new ConnectionParameters(queueDepth, maxFragments, Kib.MESSAGE_BYTES);
    }

    static ConnectionParameters read(MemorySegment from, long at, ByteOrder order) {
        return new ConnectionParameters(
                Ordered.getShort(from, at + QUEUE_DEPTH, order),
                Ordered.getShort(from, at + MAX_FRAGS, order),
                Ordered.getInt(from, at + MAX_MSG_SIZE, order));
    }

    void write(MemorySegment to, long at, ByteOrder order) {
        Ordered.setShort(to, at + QUEUE_DEPTH, order, queueDepth);
        Ordered.setShort(to, at + MAX_FRAGS, order, maxFragments);
        Ordered.setInt(to, at + MAX_MSG_SIZE, order, maxMessageBytes);
    }
}
