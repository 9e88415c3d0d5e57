package org.railyard.lab.net;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.payload.PayloadPattern;
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

    /** Which stretch of the pattern the payload is, if it is kept and needs no bytes of its own. */
    private long stretch = PayloadPattern.NONE;

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
        int bytes = remaining(from.fragments(), from.fragmentCount());
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
        stretch = FragmentCopy.stretch(from.fragments(), from.fragmentCount(), length);
        if (stretch == PayloadPattern.NONE && length > 0) {
            kept = pool.take(length);
            FragmentCopy.copy(from.fragments(), new ByteBuffer[] {ByteBuffer.wrap(kept, 0, length)}, 1);
        }
        message = null;
    }

    /** Tells whether copies of it are on their way, or at the other end. */
    boolean isElsewhere() {
        return holders > 1;
    }

    /**
     * Puts the first bytes of the payload into a message.
     *
     * @param byReference whether references to the pattern may stand for bytes there
     */
    void store(LndMessage into, int bytes, boolean byReference) {
        ByteBuffer[] to = into.fragments();
        int count = into.fragmentCount();
        if (remaining(to, count) != bytes) {
            throw new IllegalStateException("fragments take " + remaining(to, count) + " bytes, expected " + bytes);
        }
        LndMessage from = message;
        long begin = from == null ? stretch : FragmentCopy.stretch(from.fragments(), from.fragmentCount(), bytes);
        if (begin != PayloadPattern.NONE) {
            FragmentCopy.fill(begin, to, count, byReference);
        } else if (from != null) {
            FragmentCopy.copy(from.fragments(), to, count);
        } else {
            FragmentCopy.copy(new ByteBuffer[] {ByteBuffer.wrap(kept, 0, length)}, to, count);
        }
    }

    private static int remaining(ByteBuffer[] fragments, int count) {
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += fragments[i].remaining();
        }
        return bytes;
    }

    /** Forgets the message. */
    void clear(PayloadPool pool) {
        pool.giveBack(kept);
        kept = EMPTY;
        stretch = PayloadPattern.NONE;
        message = null;
    }
}
