package org.railyard.o2iblnd;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;

/** One LNet header that the stack was shown, and the way in which it answers. */
final class Reception implements LndReceiver {
    private final Deliveries deliveries;
    private final IbNi ni;
    private final int slot;
    private final boolean immediate;
    private final long cookie;

    Reception(Deliveries deliveries, IbNi ni, int slot, boolean immediate, long cookie) {
        this.deliveries = deliveries;
        this.ni = ni;
        this.slot = slot;
        this.immediate = immediate;
        this.cookie = cookie;
    }

    int slot() {
        return slot;
    }

    boolean isImmediate() {
        return immediate;
    }

    long cookie() {
        return cookie;
    }

    @Override
    public void receive(@Nullable LndMessage message, int mlen, int rlen) {
        ni.runInLoop(() -> deliveries.answered(this, message, mlen));
    }
}
