package org.railyard.lnet.peer;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.nid.Nid;

/**
 * What wants to know of changes of the peer table. Called with the lock held, in the middle of a change: it only takes
 * notes.
 */
public interface PeerWatcher {
    /** A peer is in the table now; it may have no NIDs yet. */
    default void added(Peer peer) {}

    /**
     * A peer is in the table no more.
     *
     * @param gone the peer; what waits for it is still there
     * @param successor the peer that it became a part of, null if there is none
     * @param status why, as a negative errno, for those who wait; 0 with a successor
     */
    default void removed(Peer gone, @Nullable Peer successor, int status) {}

    /** A peer lost a NID to another one: what else is known of it may be out of date as well. */
    default void nidLost(Peer peer) {}

    /** The NIDs of the peer with a primary NID have changed, or it is a primary NID now, or no more. */
    default void changed(Nid primary) {}
}
