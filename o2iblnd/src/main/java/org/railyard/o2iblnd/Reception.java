package org.railyard.o2iblnd;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;

/** One LNet header that the stack was shown, and the way in which it answers. */
final class Reception implements LndReceiver {
    private final Deliveries deliveries;
    private final IbNi ni;
    private final int slot;
    private final KibType type;
    private final long cookie;
    private final @Nullable RdmaDescriptor sink;

    /** Makes what the stack answers to a message, whose contents are copied. */
    Reception(Deliveries deliveries, IbNi ni, int slot, KibMessage message) {
        this.deliveries = deliveries;
        this.ni = ni;
        this.slot = slot;
        this.type = message.type();
        this.cookie = message.cookie();
        if (type == KibType.GET_REQ) {
            RdmaDescriptor copy = new RdmaDescriptor();
            copy.copyFrom(message.descriptor());
            this.sink = copy;
        } else {
            this.sink = null;
        }
    }

    int slot() {
        return slot;
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
        return sink;
    }

    @Override
    public boolean placesReply() {
        return type == KibType.GET_REQ;
    }

    @Override
    public void receive(@Nullable LndMessage message, int mlen, int rlen) {
        ni.runInLoop(() -> deliveries.answered(this, message, mlen));
    }
}
