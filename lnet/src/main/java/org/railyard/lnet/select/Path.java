package org.railyard.lnet.select;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;

/** What a decision came to: a way, or an error, and what is to be noted if the message goes that way. Used again and again. */
final class Path {
    int status;

    @Nullable
    LocalNi ni;

    @Nullable
    PeerNi peerNi;

    /** Whether the peer, which is not multi-rail, knows this node by the NI from now on. */
    boolean becomesPreferred;

    /** Whether all NIs have been used and are begun again with. */
    boolean forgetsNis;

    /** Whether all peer NIs have been used and are begun again with. */
    boolean forgetsPeerNis;

    void clear() {
        status = 0;
        ni = null;
        peerNi = null;
        becomesPreferred = false;
        forgetsNis = false;
        forgetsPeerNis = false;
    }

    void set(LocalNi from, PeerNi to) {
        ni = from;
        peerNi = to;
    }

    void fail(Errno errno) {
        status = errno.status();
    }
}
