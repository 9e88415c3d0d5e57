package org.railyard.decode.capture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a capture by their offset: those of a file, which are all there, or those of a stream, of which only
 * what is still needed is held. Not thread-safe.
 */
public final class CaptureBytes {
    private static final int INITIAL = 1 << 16;

    /** Where the bytes of a stream come from. */
    @FunctionalInterface
    public interface Supply {
        /** Waits for more bytes, at least one; returns null when none will come. */
        byte @Nullable [] next();
    }

    private @Nullable Supply supply;
    private MemorySegment held;
    /** Offset of the first byte that is held. */
    private long base;

    private long end;

    /** What is behind {@link #held}, for a stream. */
    private byte[] buffer;

    private CaptureBytes(MemorySegment held, byte[] buffer, @Nullable Supply supply) {
        this.held = held;
        this.buffer = buffer;
        this.supply = supply;
        this.end = supply == null ? held.byteSize() : 0;
    }

    /** Returns the bytes of a whole file. */
    public static CaptureBytes of(MemorySegment file) {
        return new CaptureBytes(file, new byte[0], null);
    }

    /** Returns bytes that come one after the other. */
    public static CaptureBytes of(Supply supply) {
        byte[] buffer = new byte[INITIAL];
        return new CaptureBytes(MemorySegment.ofArray(buffer), buffer, supply);
    }

    /** Tells whether there are bytes up to an offset; waits for those that may still come. */
    boolean has(long upTo) {
        while (end < upTo && supply != null) {
            byte[] more = supply.next();
            if (more == null) {
                supply = null;
            } else {
                append(more);
            }
        }
        return end >= upTo;
    }

    private void append(byte[] more) {
        int size = Math.toIntExact(end - base);
        if (size + more.length > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(size + more.length, 2 * buffer.length));
            held = MemorySegment.ofArray(buffer);
        }
        System.arraycopy(more, 0, buffer, size, more.length);
        end += more.length;
    }

    /** Learns that bytes in front of an offset are not needed any more. */
    void release(long upTo) {
        int drop = Math.toIntExact(Math.min(upTo, end) - base);
        if (buffer.length > 0 && drop > buffer.length / 2) {
            System.arraycopy(buffer, drop, buffer, 0, Math.toIntExact(end - base) - drop);
            base += drop;
        }
    }

    /** Returns how many bytes there are; of a stream, so far. */
    long size() {
        return end;
    }

    /** Returns bytes, which stay what they are: a view of the file, a copy of what a stream brought. */
    MemorySegment slice(long at, long length) {
        MemorySegment view = held.asSlice(at - base, length);
        return buffer.length == 0 ? view : MemorySegment.ofArray(view.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns what holds the bytes; another one after {@link #has} or {@link #release}. */
    MemorySegment holder() {
        return held;
    }

    /** Returns where in {@link #holder} the byte at an offset is. */
    long place(long at) {
        return at - base;
    }
}
