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
    byte[] payload = EMPTY;
    int length;
    long sequence;
    long deadline;
    long lastSent;

    /** The message to complete once acknowledged; null when the stack has it back. */
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

    /** Takes header and payload from a message. */
    void load(LndMessage from, PayloadPool pool) {
        header.copyFrom(from.header());
        length = from.payloadLength();
        payload = pool.take(length);
        int at = 0;
        for (int i = 0; i < from.fragmentCount(); i++) {
            ByteBuffer fragment = from.fragments()[i];
            int take = fragment.remaining();
            fragment.get(payload, at, take);
            at += take;
        }
        if (at != length) {
            throw new IllegalStateException("fragments hold " + at + " bytes, the message says " + length);
        }
    }

    /** Puts the first bytes of the payload into a message. */
    void store(LndMessage into, int bytes) {
        int at = 0;
        for (int i = 0; i < into.fragmentCount(); i++) {
            ByteBuffer fragment = into.fragments()[i];
            int take = fragment.remaining();
            fragment.put(payload, at, take);
            at += take;
        }
        if (at != bytes) {
            throw new IllegalStateException("fragments take " + at + " bytes, expected " + bytes);
        }
    }

    /** Forgets the message. */
    void clear(PayloadPool pool) {
        pool.giveBack(payload);
        payload = EMPTY;
        message = null;
    }
}
