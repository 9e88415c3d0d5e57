package org.railyard.socklnd.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Frames that leave with one write: heads and small payloads stand in staging memory, bulk payloads stay where they
 * are. Filled by whoever sends, then written by one thread at a time. Not thread-safe.
 */
final class TxBatch {
    /** Views of staging memory that one gathering write can use. */
    private static final int VIEWS = 32;

    private final MemorySegment memory;
    private final ByteBuffer staging;
    private final @Nullable LndMessage[] messages;
    private final long[] cookies;
    private final int[] ends;
    private final int[] bulkLeft;
    private final @Nullable ByteBuffer[] views = new ByteBuffer[VIEWS];
    private final @Nullable ByteBuffer[] vector = new ByteBuffer[VIEWS + Wire.MAX_FRAGMENTS];
    private int count;
    private int filled;
    private boolean hasBulk;
    private int written;
    private int done;
    private int taken;

    /**
     * Makes a batch.
     *
     * @param staging staging memory, off-heap; the batch's own until it is not used any more
     * @param frames most frames
     */
    TxBatch(ByteBuffer staging, int frames) {
        this.staging = staging.clear().order(ByteOrder.LITTLE_ENDIAN);
        this.memory = MemorySegment.ofBuffer(this.staging);
        this.messages = new LndMessage[frames];
        this.cookies = new long[frames];
        this.ends = new int[frames];
        this.bulkLeft = new int[frames];
    }

    /** Returns the staging memory. */
    ByteBuffer staging() {
        return staging;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Tells whether a frame fits that takes so many bytes of staging memory. */
    boolean hasRoom(int bytes) {
        return count < messages.length && staging.capacity() - filled >= bytes;
    }

    /** Adds a frame that is nothing but a head; there must be room. */
    void addNoop(long cookie0, long cookie1, @Nullable FrameChecksum checksum, int flaw) {
        FrameHeader.write(memory, filled, FrameHeader.NOOP, cookie0, cookie1);
        if (checksum != null) {
            checksum.reset();
            checksum.addFrameHeader(memory, filled);
            FrameHeader.writeChecksum(memory, filled, checksum.value() ^ flaw);
        }
        finish(null, 0, filled + FrameHeader.BYTES, 0);
    }

    /**
     * Adds a message; there must be room.
     *
     * @param copy whether to copy the payload; otherwise it is written from where it is
     * @param cookie0 zero-copy request, 0 for none
     * @param checksum computes the checksum, or null for none
     * @param flaw bits to turn over in the checksum
     */
    void add(
            LndMessage message,
            ProtocolVersion version,
            boolean copy,
            long cookie0,
            @Nullable FrameChecksum checksum,
            int flaw) {
        int payload = message.payloadLength();
        int at = filled;
        if (version.hasFrameHeader()) {
            FrameHeader.write(memory, at, FrameHeader.LNET, cookie0, 0);
            at += FrameHeader.BYTES;
        }
        message.header().write(memory, at, version.largeNids());
        at += version.lnetHeaderBytes();
        if (checksum != null) {
            addChecksum(message, version, checksum, flaw);
        }
        if (copy && payload > 0) {
            staging.limit(at + payload).position(at);
            ByteBuffer[] fragments = message.fragments();
            int fragmentCount = message.fragmentCount();
            for (int i = 0; i < fragmentCount; i++) {
                staging.put(fragments[i]);
            }
            at += payload;
        }
        finish(message, cookie0, at, copy ? 0 : payload);
    }

    private void addChecksum(LndMessage message, ProtocolVersion version, FrameChecksum checksum, int flaw) {
        checksum.reset();
        checksum.addFrameHeader(memory, filled);
        checksum.add(memory, filled + FrameHeader.BYTES, version.lnetHeaderBytes());
        for (int i = 0; i < message.fragmentCount(); i++) {
            checksum.add(message.fragments()[i].duplicate());
        }
        FrameHeader.writeChecksum(memory, filled, checksum.value() ^ flaw);
    }

    private void finish(@Nullable LndMessage message, long cookie, int end, int bulk) {
        messages[count] = message;
        cookies[count] = cookie;
        ends[count] = end;
        bulkLeft[count] = bulk;
        hasBulk |= bulk > 0;
        filled = end;
        count++;
    }

    /**
     * Writes what the channel takes, with one call.
     *
     * @return bytes written
     */
    long write(GatheringByteChannel channel) throws IOException {
        long bytes;
        if (!hasBulk) {
            staging.limit(filled).position(written);
            bytes = channel.write(staging);
        } else {
            bytes = channel.write(vector, 0, gather());
        }
        advance(bytes);
        return bytes;
    }

    private int gather() {
        int parts = 0;
        int viewsUsed = 0;
        int start = written;
        for (int i = done; i < count; i++) {
            LndMessage message = messages[i];
            if (bulkLeft[i] == 0 || message == null) {
                continue;
            }
            int fragmentCount = message.fragmentCount();
            if (viewsUsed == VIEWS - 1 || parts + 1 + fragmentCount > vector.length - 1) {
                // The rest goes with the next write. The first message always fits.
                return parts;
            }
            if (ends[i] > start) {
                parts = addView(parts, viewsUsed++, start, ends[i]);
                start = ends[i];
            }
            ByteBuffer[] fragments = message.fragments();
            for (int f = 0; f < fragmentCount; f++) {
                if (fragments[f].hasRemaining()) {
                    vector[parts++] = fragments[f];
                }
            }
        }
        return filled > start ? addView(parts, viewsUsed, start, filled) : parts;
    }

    private int addView(int parts, int index, int start, int end) {
        ByteBuffer view = views[index];
        if (view == null) {
            view = staging.duplicate();
            views[index] = view;
        }
        view.limit(end).position(start);
        vector[parts] = view;
        return parts + 1;
    }

    private void advance(long bytes) {
        long left = bytes;
        while (done < count) {
            int staged = (int) Math.min(left, ends[done] - written);
            written += staged;
            left -= staged;
            if (written < ends[done]) {
                return;
            }
            int bulk = (int) Math.min(left, bulkLeft[done]);
            bulkLeft[done] -= bulk;
            left -= bulk;
            if (bulkLeft[done] > 0) {
                return;
            }
            done++;
        }
    }

    /** Tells whether every byte is written. */
    boolean isWritten() {
        return done == count;
    }

    /** Tells whether there are written frames that were not taken. */
    boolean hasWritten() {
        return taken < done;
    }

    /** Returns the zero-copy cookie of the next frame to take, 0 for none. */
    long nextCookie() {
        return cookies[taken];
    }

    /** Takes the next frame, written or not: its message, or null for one without. */
    @Nullable
    LndMessage take() {
        LndMessage message = messages[taken];
        messages[taken++] = null;
        return message;
    }

    /** Tells whether there are frames, written or not, that were not taken. */
    boolean hasAny() {
        return taken < count;
    }

    /** Tells whether some bytes of the next frame to take are written. */
    boolean hasBegunNext() {
        return taken == done && written > startOf(done);
    }

    /**
     * Takes out the messages of which no byte is written and that await no ack; the other frames close up.
     *
     * @param into gets them, in order
     */
    void takeUnsent(List<LndMessage> into) {
        boolean begun = done < count && written > startOf(done);
        int kept = begun ? done + 1 : done;
        int start = startOf(kept);
        for (int i = kept; i < count; i++) {
            LndMessage message = messages[i];
            int end = ends[i];
            if (message != null && cookies[i] == 0) {
                into.add(message);
            } else {
                int to = startOf(kept);
                MemorySegment.copy(memory, start, memory, to, end - start);
                messages[kept] = message;
                cookies[kept] = cookies[i];
                ends[kept] = to + end - start;
                bulkLeft[kept] = bulkLeft[i];
                kept++;
            }
            start = end;
        }
        Arrays.fill(messages, kept, count, null);
        count = kept;
        filled = startOf(kept);
    }

    /** Returns where a frame begins in staging memory, or would begin behind the last one. */
    private int startOf(int frame) {
        return frame == 0 ? 0 : ends[frame - 1];
    }

    /** Makes it empty; everything must have been taken. */
    void clear() {
        count = 0;
        filled = 0;
        hasBulk = false;
        written = 0;
        done = 0;
        taken = 0;
    }
}
