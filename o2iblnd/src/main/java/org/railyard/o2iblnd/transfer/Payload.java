package org.railyard.o2iblnd.transfer;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.railyard.lnet.lnd.LndMessage;

/**
 * Copies between the fragments of a message and one piece of memory. Fragments whose owner has freed their memory, or
 * keeps it to one thread, are told of by a result and by no exception: it is that message's failure alone.
 */
public final class Payload {
    private Payload() {}

    /**
     * Copies the whole payload of a message, whose fragments stay as they are: it may be copied again for another
     * connection, when this one breaks before the message leaves.
     *
     * @return false if its memory can not be read
     */
    public static boolean copy(LndMessage from, ByteBuffer to, int at) {
        return copy(from, to, at, from.payloadLength());
    }

    private static boolean copy(LndMessage from, ByteBuffer to, int at, int bytes) {
        int done = 0;
        ByteBuffer[] fragments = from.fragments();
        for (int i = 0; i < from.fragmentCount() && done < bytes; i++) {
            ByteBuffer fragment = fragments[i];
            int step = Math.min(fragment.remaining(), bytes - done);
            try {
                to.put(at + done, fragment, fragment.position(), step);
            } catch (IllegalStateException | WrongThreadException _) {
                return false;
            }
            done += step;
        }
        return true;
    }

    /**
     * Copies the beginning of the payload of a message, and moves the positions of its fragments behind that.
     *
     * @return false if its memory can not be read
     */
    static boolean gather(LndMessage from, ByteBuffer to, int at, int bytes) {
        boolean copied = copy(from, to, at, bytes);
        skip(from, bytes);
        return copied;
    }

    /**
     * Fills the beginning of the fragments of a message.
     *
     * @return false if its memory can not be written
     */
    public static boolean scatter(ByteBuffer from, int at, LndMessage to, int bytes) {
        int done = 0;
        ByteBuffer[] fragments = to.fragments();
        for (int i = 0; i < to.fragmentCount() && done < bytes; i++) {
            ByteBuffer fragment = fragments[i];
            int step = Math.min(fragment.remaining(), bytes - done);
            try {
                fragment.put(fragment.position(), from, at + done, step);
            } catch (IllegalStateException | WrongThreadException | ReadOnlyBufferException _) {
                return false;
            }
            fragment.position(fragment.position() + step);
            done += step;
        }
        return true;
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
