package org.railyard.lab.net;

import java.nio.ByteBuffer;
import org.railyard.lab.payload.PayloadPattern;

/** Payloads in fragments, where references to the pattern may stand for bytes. */
final class FragmentCopy {
    private FragmentCopy() {}

    /**
     * Finds out which stretch of the pattern the first bytes of fragments are, of as many as a reference pays for.
     *
     * @return where the stretch begins; {@link PayloadPattern#NONE} if they are none, or not in order
     */
    static long stretch(ByteBuffer[] fragments, int count, int bytes) {
        long begin = PayloadPattern.NONE;
        int done = 0;
        for (int i = 0; i < count && done < bytes && bytes >= PayloadPattern.MIN_REFERRED; i++) {
            ByteBuffer fragment = fragments[i];
            int take = Math.min(fragment.remaining(), bytes - done);
            long found = PayloadPattern.find(fragment, fragment.position(), take);
            if (done == 0) {
                begin = found;
            }
            if (begin == PayloadPattern.NONE || found != begin + done && !isRest(begin + done, found, fragment, take)) {
                return PayloadPattern.NONE;
            }
            done += take;
        }
        return begin;
    }

    /** Tells whether bytes too few for a reference go on with a stretch. */
    private static boolean isRest(long offset, long found, ByteBuffer fragment, int take) {
        return found == PayloadPattern.NONE
                && take < PayloadPattern.MIN_REFERRED
                && PayloadPattern.isAt(offset, fragment, fragment.position(), take);
    }

    /** Fills fragments with bytes of others; no references are left. The others stay at their positions. */
    static void copy(ByteBuffer[] from, ByteBuffer[] to, int count) {
        int source = 0;
        int done = 0;
        for (int i = 0; i < count; i++) {
            ByteBuffer fragment = to[i];
            while (fragment.hasRemaining()) {
                ByteBuffer bytes = from[source];
                int take = Math.min(fragment.remaining(), bytes.remaining() - done);
                long stretch = PayloadPattern.find(bytes, bytes.position(), bytes.remaining());
                if (stretch == PayloadPattern.NONE) {
                    fragment.put(fragment.position(), bytes, bytes.position() + done, take);
                    fragment.position(fragment.position() + take);
                } else {
                    PayloadPattern.copy(stretch + done, fragment, take);
                }
                done += take;
                if (done == bytes.remaining()) {
                    source++;
                    done = 0;
                }
            }
        }
    }

    /**
     * Fills fragments with a stretch of the pattern.
     *
     * @param byReference whether references may stand for bytes
     */
    static void fill(long begin, ByteBuffer[] to, int count, boolean byReference) {
        long at = begin;
        for (int i = 0; i < count; i++) {
            int take = to[i].remaining();
            if (byReference && take >= PayloadPattern.MIN_REFERRED) {
                PayloadPattern.refer(at, to[i], take);
            } else {
                PayloadPattern.copy(at, to[i], take);
            }
            at += take;
        }
    }
}
