package org.railyard.socklnd.connection;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.wire.FrameChecksum;

/**
 * Where the payload of the message being received goes: first into the message's fragments, then nowhere. Not
 * thread-safe.
 */
final class PayloadTarget {
    private @Nullable LndMessage message;
    private int fragment;
    private int toStore;
    private int toDiscard;
    private @Nullable ByteBuffer @Nullable [] stored;

    /**
     * Begins a payload.
     *
     * @param into what to store into, or null to discard
     * @param mlen bytes to store
     * @param rlen bytes of the payload
     * @param remember whether {@link #addTo} will be asked for the bytes
     * @throws IllegalArgumentException if the fragments have no room for {@code mlen} bytes
     */
    void aim(@Nullable LndMessage into, int mlen, int rlen, boolean remember) {
        message = into;
        fragment = 0;
        toStore = mlen;
        toDiscard = rlen - mlen;
        stored = null;
        if (into == null) {
            return;
        }
        ByteBuffer[] fragments = into.fragments();
        int count = into.fragmentCount();
        limit(fragments, count, mlen);
        if (remember && mlen == rlen && mlen > 0) {
            stored = new ByteBuffer[count];
            for (int i = 0; i < count; i++) {
                stored[i] = fragments[i].duplicate();
            }
        }
    }

    /** Makes sure that no more than the given bytes can be stored: the rest of the memory is not ours to fill. */
    private static void limit(ByteBuffer[] fragments, int count, int mlen) {
        int room = 0;
        for (int i = 0; i < count && room < mlen; i++) {
            int remaining = Math.min(fragments[i].remaining(), mlen - room);
            fragments[i].limit(fragments[i].position() + remaining);
            room += remaining;
        }
        if (room < mlen) {
            throw new IllegalArgumentException("receive of " + mlen + " bytes into fragments of " + room);
        }
    }

    /** Tells whether all bytes of the payload are there. */
    boolean isComplete() {
        return toStore == 0 && toDiscard == 0;
    }

    /** Takes bytes that came with the head; returns how many. */
    int take(ByteBuffer buffer, int from, int to) {
        int at = from;
        LndMessage into = message;
        if (into != null) {
            ByteBuffer[] fragments = into.fragments();
            while (toStore > 0 && at < to) {
                ByteBuffer part = fragments[fragment];
                int bytes = Math.min(Math.min(to - at, toStore), part.remaining());
                part.put(part.position(), buffer, at, bytes);
                part.position(part.position() + bytes);
                at += bytes;
                toStore -= bytes;
                if (!part.hasRemaining()) {
                    fragment++;
                }
            }
        }
        if (toStore == 0) {
            int bytes = Math.min(to - at, toDiscard);
            at += bytes;
            toDiscard -= bytes;
        }
        return at - from;
    }

    /**
     * Lists the memory that the rest of the payload goes to, for one scattering read.
     *
     * @return how many buffers; negative (−1 − how many) if that is not yet all of the payload, so that nothing else
     *     may follow
     */
    int list(@Nullable ByteBuffer[] vector, ByteBuffer scratch) {
        int parts = 0;
        LndMessage into = message;
        if (into != null) {
            ByteBuffer[] fragments = into.fragments();
            int left = toStore;
            for (int i = fragment; left > 0; i++) {
                if (parts == Wire.MAX_FRAGMENTS) {
                    return -1 - parts;
                }
                vector[parts++] = fragments[i];
                left -= fragments[i].remaining();
            }
        }
        if (toDiscard > 0) {
            scratch.clear().limit(Math.min(toDiscard, scratch.capacity()));
            vector[parts++] = scratch;
            if (toDiscard > scratch.capacity()) {
                return -1 - parts;
            }
        }
        return parts;
    }

    /** Takes note of bytes that a read put into the listed memory; returns those that went beyond it. */
    long account(long bytes) {
        int kept = (int) Math.min(bytes, toStore);
        toStore -= kept;
        LndMessage into = message;
        if (into != null) {
            ByteBuffer[] fragments = into.fragments();
            int count = into.fragmentCount();
            while (fragment < count && !fragments[fragment].hasRemaining()) {
                fragment++;
            }
        }
        int thrown = (int) Math.min(bytes - kept, toDiscard);
        toDiscard -= thrown;
        return bytes - kept - thrown;
    }

    /** Tells whether the bytes stored were remembered: the whole payload, neither cut nor discarded. */
    boolean isRemembered() {
        return stored != null;
    }

    /** Adds the bytes stored to a checksum. */
    void addTo(FrameChecksum checksum) {
        @Nullable ByteBuffer @Nullable [] parts = stored;
        if (parts != null) {
            for (ByteBuffer part : parts) {
                if (part != null) {
                    checksum.add(part);
                }
            }
            stored = null;
        }
    }

    /** Releases the message and returns it, or null if there is none. */
    @Nullable
    LndMessage release() {
        LndMessage into = message;
        message = null;
        stored = null;
        return into;
    }
}
