package org.railyard.lab.net;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.wire.LNetHeader;

/**
 * One message on a connection. Counted: the sender, each copy on its way, and the receiver hold it; then it goes back
 * to the pool.
 */
final class SimFrame {
    private static final byte[] EMPTY = {};

    final LNetHeader header = new LNetHeader();
    private byte[] kept = EMPTY;
    int length;
    long sequence;
    long deadline;
    long lastSent;

    /**
     * The message to complete once acknowledged, whose memory holds the payload meanwhile; null when the stack has it
     * back.
     */
    @Nullable
    LndMessage message;

    private int holders;

    void hold() {
        holders++;
    }

    /** Tells whether nobody holds it any more. */
    boolean letGo() {
        return --holders == 0;
    }

    /** Returns what it takes on the wire, bytes. */
    int wireBytes() {
        return LNetHeader.NID4_BYTES + length;
    }

    /** Takes the header of a message, and its payload as long as the stack lends it. */
    void load(LndMessage from) {
        header.copyFrom(from.header());
        length = from.payloadLength();
        int bytes = 0;
        for (int i = 0; i < from.fragmentCount(); i++) {
            bytes += from.fragments()[i].remaining();
        }
        if (bytes != length) {
            throw new IllegalStateException("fragments hold " + bytes + " bytes, the message says " + length);
        }
        message = from;
    }

    /** The stack is about to get its message back: what is on its way needs bytes of its own. */
    void keep(PayloadPool pool) {
        LndMessage from = message;
        if (from == null) {
            return;
        }
        kept = pool.take(length);
        int at = 0;
        for (int i = 0; i < from.fragmentCount(); i++) {
            ByteBuffer fragment = from.fragments()[i];
            fragment.get(fragment.position(), kept, at, fragment.remaining());
            at += fragment.remaining();
        }
        message = null;
    }

    /** Tells whether copies of it are on their way, or at the other end. */
    boolean isElsewhere() {
        return holders > 1;
    }

    /** Puts the first bytes of the payload into a message. */
    void store(LndMessage into, int bytes) {
        LndMessage from = message;
        int stored = from == null ? storeKept(into) : storeLent(from, into);
        if (stored != bytes) {
            throw new IllegalStateException("fragments take " + stored + " bytes, expected " + bytes);
        }
    }

    private int storeKept(LndMessage into) {
        int at = 0;
        for (int i = 0; i < into.fragmentCount(); i++) {
            ByteBuffer fragment = into.fragments()[i];
            int take = fragment.remaining();
            fragment.put(kept, at, take);
            at += take;
        }
        return at;
    }

    private static int storeLent(LndMessage from, LndMessage into) {
        int stored = 0;
        int source = 0;
        int done = 0;
        for (int i = 0; i < into.fragmentCount(); i++) {
            ByteBuffer fragment = into.fragments()[i];
            while (fragment.hasRemaining()) {
                ByteBuffer bytes = from.fragments()[source];
                int take = Math.min(fragment.remaining(), bytes.remaining() - done);
                fragment.put(fragment.position(), bytes, bytes.position() + done, take);
                fragment.position(fragment.position() + take);
                stored += take;
                done += take;
                if (done == bytes.remaining()) {
                    source++;
                    done = 0;
                }
            }
        }
        return stored;
    }

    /** Forgets the message. */
    void clear(PayloadPool pool) {
        pool.giveBack(kept);
        kept = EMPTY;
        message = null;
    }
}
