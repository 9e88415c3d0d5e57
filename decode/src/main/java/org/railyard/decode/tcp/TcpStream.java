package org.railyard.decode.tcp;

import java.util.Map;
import java.util.TreeMap;

/**
 * Puts the segments of one direction into order. What comes again is dropped, what comes early waits, up to a limit;
 * then what is missing is declared a gap. Waiting segments are views of the file, so they cost no copy. Not
 * thread-safe.
 */
final class TcpStream {
    /** Most segments that wait for one that is missing. */
    static final int MAX_WAITING = 4096;

    /** Most bytes that wait for one that is missing. */
    static final long MAX_WAITING_BYTES = 16L << 20;

    /** How far ahead a segment may be: the largest window that TCP has. */
    private static final int MAX_AHEAD = 1 << 30;

    private final StreamListener listener;
    private final TreeMap<Long, TcpSegment> waiting = new TreeMap<>();
    private long waitingBytes;
    private boolean open;
    /** Sequence number of stream offset 0. */
    private int base;

    private long next;

    TcpStream(StreamListener listener) {
        this.listener = listener;
    }

    /** Learns where the stream starts. */
    void open(int initialSequence) {
        open = true;
        base = initialSequence + 1;
    }

    /** Tells whether a SYN with this sequence number would be the one that opened this stream. */
    boolean startedAt(int initialSequence) {
        return open && base == initialSequence + 1;
    }

    boolean isOpen() {
        return open;
    }

    /** Takes a segment with payload; false if it is too far from the others to be true. */
    boolean add(TcpSegment segment) {
        if (!open) {
            open(segment.sequence() - 1);
        }
        long offset = next + (segment.sequence() - (base + (int) next));
        if (offset > next + MAX_AHEAD) {
            return false;
        }
        if (offset <= next) {
            deliver(offset, segment);
            deliverWaiting();
        } else {
            keep(offset, segment);
            while (waiting.size() > MAX_WAITING || waitingBytes > MAX_WAITING_BYTES) {
                skipToWaiting();
            }
        }
        return true;
    }

    /** Delivers what is left, with its gaps. */
    void end() {
        while (!waiting.isEmpty()) {
            skipToWaiting();
        }
        listener.end();
    }

    private void keep(long offset, TcpSegment segment) {
        TcpSegment present = waiting.get(offset);
        if (present != null && length(present) >= length(segment)) {
            return;
        }
        waitingBytes += length(segment) - (present == null ? 0 : length(present));
        waiting.put(offset, segment);
    }

    private void skipToWaiting() {
        Map.Entry<Long, TcpSegment> first = waiting.firstEntry();
        listener.gap(next, first.getKey() - next, first.getValue());
        next = first.getKey();
        deliverWaiting();
    }

    private void deliverWaiting() {
        while (!waiting.isEmpty() && waiting.firstKey() <= next) {
            Map.Entry<Long, TcpSegment> first = waiting.pollFirstEntry();
            waitingBytes -= length(first.getValue());
            deliver(first.getKey(), first.getValue());
        }
    }

    private void deliver(long offset, TcpSegment segment) {
        long captured = segment.payload().byteSize();
        long known = next - offset;
        if (known < captured) {
            listener.data(next, segment.payload().asSlice(known), segment, known == 0);
            next = offset + captured;
        }
        long end = offset + length(segment);
        if (next < end) {
            listener.gap(next, end - next, segment);
            next = end;
        }
    }

    private static long length(TcpSegment segment) {
        return segment.payload().byteSize() + segment.missing();
    }
}
