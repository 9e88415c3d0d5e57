package org.railyard.selftest.rpc;

import org.jspecify.annotations.Nullable;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.RpcMessage;

/** Hears how a call ended. Called once, by any thread, with no lock held; it must not block. */
@FunctionalInterface
public interface CallListener {
    /**
     * A call is over; nothing touches its bulk memory any more.
     *
     * @param status 0 if a reply came, whatever it says; otherwise a negative errno
     * @param reply what came; null with any other status than 0
     */
    void ended(int status, @Nullable RpcMessage<Reply> reply);
}
