package org.railyard.lnet.model;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message's own windows onto memory: a buffer per segment, whose positions and limits select the bytes of the
 * message.
 */
public final class Views {
    /** For lists of unused windows. */
    @Nullable
    Views next;

    private final ByteBuffer[] buffers;
    private int count;

    /** Makes windows onto the given memory. */
    public Views(List<MemorySegment> memory) {
        buffers = new ByteBuffer[memory.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = memory.get(i).asByteBuffer();
        }
    }

    /**
     * Selects bytes.
     *
     * @param offset from the start of the memory, bytes
     * @param length bytes; offset and length must be inside the memory
     */
    public void select(int offset, int length) {
        int skip = offset;
        int left = length;
        count = 0;
        for (int i = 0; i < buffers.length && left > 0; i++) {
            ByteBuffer buffer = buffers[i];
            int from = Math.min(skip, buffer.capacity());
            int take = Math.min(left, buffer.capacity() - from);
            buffer.limit(from + take).position(from);
            skip -= from;
            left -= take;
            count = i + 1;
        }
        if (left > 0) {
            throw new IndexOutOfBoundsException(
                    "bytes " + offset + " to " + (offset + length) + " are not in the memory");
        }
    }

    /** Returns the buffers. */
    public ByteBuffer[] buffers() {
        return buffers;
    }

    /** Returns how many buffers hold selected bytes or stand before such. */
    public int count() {
        return count;
    }
}
