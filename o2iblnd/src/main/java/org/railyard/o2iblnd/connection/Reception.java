package org.railyard.o2iblnd.connection;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;

/**
 * The LNet header that the stack was shown last, and the way in which it answers: used again for the next one, which is
 * not shown before.
 */
final class Reception implements LndReceiver {
    private final Deliveries deliveries;
    private final NiContext ni;
    private final RdmaDescriptor sink = new RdmaDescriptor();
    private int slot;
    private int payloadAt;
    private KibType type = KibType.IMMEDIATE;
    private long cookie;

    Reception(Deliveries deliveries, NiContext ni) {
        this.deliveries = deliveries;
        this.ni = ni;
    }

    /** Is about a message from now on, whose contents are copied. */
    void begin(int place, KibMessage message) {
        slot = place;
        payloadAt = KibMessage.PAYLOAD_OFFSET;
        type = message.type();
        cookie = message.cookie();
        if (type == KibType.GET_REQ) {
            sink.copyFrom(message.descriptor());
        }
    }

    /** Is about a message behind another one from now on, whose payload is at an offset in the buffer. */
    void beginPacked(int place, int newPayloadAt) {
        slot = place;
        payloadAt = newPayloadAt;
        type = KibType.IMMEDIATE;
    }

    int slot() {
        return slot;
    }

    /** Returns where the payload of an IMMEDIATE begins in its buffer, bytes. */
    int payloadAt() {
        return payloadAt;
    }

    /** Returns the type of the message that the header came in. */
    KibType type() {
        return type;
    }

    long cookie() {
        return cookie;
    }

    /** Returns where the sender of a GET_REQ wants the answer; null for all others. */
    @Nullable
    RdmaDescriptor sink() {
        return type == KibType.GET_REQ ? sink : null;
    }

    @Override
    public boolean placesReply() {
        return type == KibType.GET_REQ;
    }

    @Override
    public void receive(@Nullable LndMessage message, int mlen, int rlen) {
        if (ni.isInLoop()) {
            deliveries.answered(message, mlen);
        } else {
            ni.loop().execute(() -> deliveries.answered(message, mlen));
        }
    }
}
