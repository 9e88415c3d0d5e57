package org.railyard.lnet.select;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;

/**
 * What a decision came to: a way, or an error, and what is to be noted if the message goes that way. Used again and
 * again.
 */
final class Path {
    int status;

    @Nullable
    LocalNi ni;

    @Nullable
    PeerNi peerNi;

    /** What the header names as destination: {@link #peerNi}, or a peer NI behind it. */
    @Nullable
    PeerNi last;

    /** The route that was chosen, null if there was none to choose. */
    @Nullable
    Route route;

    /** The stamp of the route if the message goes. */
    long routeSeq;

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
        last = null;
        route = null;
        routeSeq = 0;
        becomesPreferred = false;
        forgetsNis = false;
        forgetsPeerNis = false;
    }

    void set(LocalNi from, PeerNi to) {
        set(from, to, to);
    }

    void set(LocalNi from, PeerNi hop, PeerNi target) {
        status = 0;
        ni = from;
        peerNi = hop;
        last = target;
    }

    void fail(Errno errno) {
        status = errno.status();
    }
}
