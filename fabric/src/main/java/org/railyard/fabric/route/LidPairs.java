package org.railyard.fabric.route;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pairs of LIDs whose entries are compared, laid out in spans: in one span both LIDs go up by one from position to
 * position, so that a row of a forwarding table is compared with itself as it lies in memory. Pairs that nobody asked
 * for fill short gaps. For one thread.
 */
final class LidPairs {
    /** Filling a gap of so many is quicker than to begin anew. */
    private static final int MAX_GAP = 32;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Bytes that are compared in one go; what is beyond the last pair is not used. */
    private static final int CHUNK = 4096;

    private final byte[] left = new byte[CHUNK];
    private final byte[] right = new byte[CHUNK];
    private final byte[] sum = new byte[CHUNK];
    private final List<Span> spans = new ArrayList<>();
    private final int[] positions;
    private final int width;
    private final int lastLid;

    /** LIDs from {@code lid} on, each with the one that is {@code shift} less. */
    private static final class Span {
        private final int lid;
        private final int shift;
        private int length = 1;
        private int first;

        private Span(int lid, int shift) {
            this.lid = lid;
            this.shift = shift;
        }

        private boolean reaches(int next) {
            return next >= lid && next <= lid + length + MAX_GAP;
        }
    }

    /**
     * Lays pairs out.
     *
     * @param lids LIDs; longest spans if they ascend
     * @param others by place the LID that each is compared with; no pair is there twice
     */
    LidPairs(int[] lids, int[] others) {
        Map<Integer, Span> open = new LinkedHashMap<>();
        Span[] spanOf = new Span[lids.length];
        int last = 0;
        for (int i = 0; i < lids.length; i++) {
            int lid = lids[i];
            int shift = lid - others[i];
            Span span = open.get(shift);
            if (span == null || !span.reaches(lid)) {
                span = new Span(lid, shift);
                open.put(shift, span);
                spans.add(span);
            }
            span.length = Math.max(span.length, lid - span.lid + 1);
            spanOf[i] = span;
            last = Math.max(last, Math.max(lid, others[i]));
        }
        int end = 0;
        for (Span span : spans) {
            span.first = end;
            end += span.length;
        }
        positions = new int[lids.length];
        for (int i = 0; i < lids.length; i++) {
            positions[i] = spanOf[i].first + lids[i] - spanOf[i].lid;
        }
        width = end;
        lastLid = last;
    }

    /**
     * Sets bits at each position at which a row has different entries for the two LIDs.
     *
     * @param row entries by LID, at least up to {@link #lastLid}
     * @param unlike by position
     */
    void addUnlike(byte[] row, byte[] unlike) {
        for (Span span : spans) {
            for (int done = 0; done < span.length; done += CHUNK) {
                int count = Math.min(CHUNK, span.length - done);
                int lid = span.lid + done;
                System.arraycopy(row, lid, left, 0, count);
                System.arraycopy(row, lid - span.shift, right, 0, count);
                System.arraycopy(unlike, span.first + done, sum, 0, count);
                addUnlike(count);
                System.arraycopy(sum, 0, unlike, span.first + done, count);
            }
        }
    }

    /** Eight bytes at a time; with one index for all the compiler takes even more. */
    private void addUnlike(int count) {
        for (int i = 0; i < count; i += Long.BYTES) {
            LONGS.set(sum, i, (long) LONGS.get(sum, i) | (long) LONGS.get(left, i) ^ (long) LONGS.get(right, i));
        }
    }

    /** Returns the position of the pair that was given at a place. */
    int position(int place) {
        return positions[place];
    }

    /** Returns how many positions there are. */
    int width() {
        return width;
    }

    /** Returns the largest LID of all, 0 without pairs. */
    int lastLid() {
        return lastLid;
    }
}
