package org.railyard.o2iblnd.transfer;

import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;

/** Copies between the fragments of a message and one piece of memory. */
public final class Payload {
    private Payload() {}

    /**
     * Copies the whole payload of a message, whose fragments stay as they are: it may be copied again for another
     * connection, when this one breaks before the message leaves.
     */
    public static void copy(LndMessage from, ByteBuffer to, int at) {
        copy(from, to, at, from.payloadLength());
    }

    private static void copy(LndMessage from, ByteBuffer to, int at, int bytes) {
        int done = 0;
        ByteBuffer[] fragments = from.fragments();
        for (int i = 0; i < from.fragmentCount() && done < bytes; i++) {
            ByteBuffer fragment = fragments[i];
            int step = Math.min(fragment.remaining(), bytes - done);
            to.put(at + done, fragment, fragment.position(), step);
            done += step;
        }
    }

    /** Copies the beginning of the payload of a message, and moves the positions of its fragments behind that. */
    static void gather(LndMessage from, ByteBuffer to, int at, int bytes) {
        copy(from, to, at, bytes);
        skip(from, bytes);
    }

    /** Fills the beginning of the fragments of a message. */
    public static void scatter(ByteBuffer from, int at, LndMessage to, int bytes) {
        int done = 0;
        ByteBuffer[] fragments = to.fragments();
        for (int i = 0; i < to.fragmentCount() && done < bytes; i++) {
            ByteBuffer fragment = fragments[i];
            int step = Math.min(fragment.remaining(), bytes - done);
            fragment.put(fragment.position(), from, at + done, step);
            fragment.position(fragment.position() + step);
            done += step;
        }
    }

    /** Moves the positions of the fragments of a message as if the beginning of its payload had been copied. */
    static void skip(LndMessage message, int bytes) {
        int left = bytes;
        ByteBuffer[] fragments = message.fragments();
        for (int i = 0; i < message.fragmentCount() && left > 0; i++) {
            int step = Math.min(fragments[i].remaining(), left);
            fragments[i].position(fragments[i].position() + step);
            left -= step;
        }
    }
}
