package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.LE16;
import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
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

    private static final VarHandle QUEUE_DEPTH = Wire.field(LAYOUT, "queue_depth");
    private static final VarHandle MAX_FRAGS = Wire.field(LAYOUT, "max_frags");
    private static final VarHandle MAX_MSG_SIZE = Wire.field(LAYOUT, "max_msg_size");

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
                Ordered.getShort(QUEUE_DEPTH, from, at, order),
                Ordered.getShort(MAX_FRAGS, from, at, order),
                Ordered.getInt(MAX_MSG_SIZE, from, at, order));
    }

    void write(MemorySegment to, long at, ByteOrder order) {
        Ordered.setShort(QUEUE_DEPTH, to, at, order, queueDepth);
        Ordered.setShort(MAX_FRAGS, to, at, order, maxFragments);
        Ordered.setInt(MAX_MSG_SIZE, to, at, order, maxMessageBytes);
    }
}
