package org.railyard.lnet.api;

import org.railyard.base.Errno;

/** How far the discovery of a peer is (spec 11 §2, PeerDiscovered). */
public enum DiscoveryProgress {
    /** All is known that can be known: it was discovered, or discovery is off. */
    DONE(1),
    /** The last attempt failed; the next one has been started. */
    UNREACHABLE(Errno.EHOSTUNREACH.status()),
    /** It is under way. */
    RUNNING(Errno.EALREADY.status()),
    /** It has just been started. */
    STARTED(Errno.EAGAIN.status()),
    /** There is no such peer and none can be made. */
    IMPOSSIBLE(Errno.ENETRESET.status());

    private final int code;

    DiscoveryProgress(int code) {
        this.code = code;
    }

    /** Returns the number that it has in LNet: 1 for {@link #DONE}, otherwise a negative errno. */
    public int code() {
        return code;
    }
}
