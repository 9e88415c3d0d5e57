package org.railyard.lab.net;

import java.nio.ByteBuffer;
import org.railyard.lab.payload.Pattern;

/** Payloads in fragments, where references to the pattern may stand for bytes. */
final class FragmentCopy {
    private FragmentCopy() {}

    /**
     * Finds out which stretch of the pattern the first bytes of fragments are, of as many as a reference pays for.
     *
     * @return where the stretch begins; {@link Pattern#NONE} if they are none, or not in order
     */
    static long stretch(ByteBuffer[] fragments, int count, int bytes) {
        long begin = Pattern.NONE;
        int done = 0;
        for (int i = 0; i < count && done < bytes && bytes >= Pattern.MIN_REFERRED; i++) {
            ByteBuffer fragment = fragments[i];
            int take = Math.min(fragment.remaining(), bytes - done);
            long found = Pattern.find(fragment, fragment.position(), take);
            if (done == 0) {
                begin = found;
            }
            if (begin == Pattern.NONE || found != begin + done && !isRest(begin + done, found, fragment, take)) {
                return Pattern.NONE;
            }
            done += take;
        }
        return begin;
    }

    /** Tells whether bytes too few for a reference go on with a stretch. */
    private static boolean isRest(long offset, long found, ByteBuffer fragment, int take) {
        return found == Pattern.NONE
                && take < Pattern.MIN_REFERRED
                && Pattern.isAt(offset, fragment, fragment.position(), take);
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
                long stretch = Pattern.find(bytes, bytes.position(), bytes.remaining());
                if (stretch == Pattern.NONE) {
                    fragment.put(fragment.position(), bytes, bytes.position() + done, take);
                    fragment.position(fragment.position() + take);
                } else {
                    Pattern.copy(stretch + done, fragment, take);
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
            if (byReference && take >= Pattern.MIN_REFERRED) {
                Pattern.refer(at, to[i], take);
            } else {
                Pattern.copy(at, to[i], take);
            }
            at += take;
        }
    }
}
