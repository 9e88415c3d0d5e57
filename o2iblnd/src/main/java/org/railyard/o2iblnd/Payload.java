package org.railyard.o2iblnd;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;

/** Copies between the fragments of a message and one piece of memory. */
final class Payload {
    private Payload() {}

    /** Copies the whole payload of a message. */
    static void gather(LndMessage from, MemorySegment to, long at) {
        gather(from, to, at, from.payloadLength());
    }

    /** Copies the beginning of the payload of a message. */
    static void gather(LndMessage from, MemorySegment to, long at, int bytes) {
        int done = 0;
        ByteBuffer[] fragments = from.fragments();
        for (int i = 0; i < from.fragmentCount() && done < bytes; i++) {
            ByteBuffer fragment = fragments[i];
            int step = Math.min(fragment.remaining(), bytes - done);
            MemorySegment.copy(MemorySegment.ofBuffer(fragment), 0, to, at + done, step);
            fragment.position(fragment.position() + step);
            done += step;
        }
    }

    /** Fills the beginning of the fragments of a message. */
    static void scatter(MemorySegment from, long at, LndMessage to, int bytes) {
        int done = 0;
        ByteBuffer[] fragments = to.fragments();
        for (int i = 0; i < to.fragmentCount() && done < bytes; i++) {
            ByteBuffer fragment = fragments[i];
            int step = Math.min(fragment.remaining(), bytes - done);
            MemorySegment.copy(from, at + done, MemorySegment.ofBuffer(fragment), 0, step);
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
