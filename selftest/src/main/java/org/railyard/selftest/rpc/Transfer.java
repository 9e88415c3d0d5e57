package org.railyard.selftest.rpc;

import java.util.function.IntConsumer;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;

/** Follows one PUT without ACK, or one GET, of a descriptor; tells how it ended with the descriptor's last event. */
final class Transfer implements EventHandler {
    private final EventKind last;
    private final int length;
    private final IntConsumer then;
    private int status;
    private boolean arrived;

    /**
     * Makes the handler of a descriptor.
     *
     * @param last the kind of event that means success: SEND or REPLY
     * @param length bytes that must have been moved
     * @param then gets 0 or a negative errno
     */
    Transfer(EventKind last, int length, IntConsumer then) {
        this.last = last;
        this.length = length;
        this.then = then;
    }

    @Override
    public void onEvent(Event event) {
        if (event.status() < 0) {
            status = status == 0 ? event.status() : status;
        } else if (event.kind() == last) {
            arrived = true;
            if (last == EventKind.REPLY && event.mlength() != length) {
                status = Errno.EBADMSG.status();
            }
        }
        if (event.unlinked()) {
            then.accept(status < 0 ? status : arrived ? 0 : Errno.ETIMEDOUT.status());
        } else if (event.kind() == EventKind.SEND
                && event.status() < 0
                && !event.md().isUnlinked()) {
            event.md().unlink();
        }
    }
}
