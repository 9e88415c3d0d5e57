package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Peers (spec 12 §2.4). */
public sealed interface PeerOperation extends Operation {
    /**
     * Makes a peer, or gives one more NIDs.
     *
     * @param primNid its primary NID
     * @param nids a list of NIDs, with ranges; absent for the primary NID alone
     * @param nonMr whether it is not multi-rail
     * @param lockPrim whether its primary NID stays, whatever it announces
     */
    record Add(@Nullable String primNid, @Nullable String nids, boolean nonMr, boolean lockPrim)
            implements PeerOperation, Edit {}

    /**
     * Deletes a peer, or some of its NIDs.
     *
     * @param primNid its primary NID
     * @param nids a list of NIDs; absent for the whole peer
     * @param force also a locked primary NID
     */
    record Delete(@Nullable String primNid, @Nullable String nids, boolean force) implements PeerOperation, Edit {}

    /**
     * Changes NIDs of peers; NIDs that nobody has change nothing.
     *
     * @param nid one NID
     * @param all all NIDs of all peers
     * @param health 0…1000, more means 1000
     * @param state state bits of the peer, for tests
     */
    record Set(
            @Nullable String nid,
            boolean all,
            @Nullable Integer health,
            @Nullable Integer state) implements PeerOperation, Edit {}

    /**
     * Shows peers, in the order in which they became known.
     *
     * @param nid only the one with this NID; absent for all
     * @param level how much, 0…4 (spec 12 §3)
     * @param maxPeers most to show, 0 for all
     */
    record Show(@Nullable String nid, int level, int maxPeers) implements PeerOperation, Query {}

    /** Lists the primary NIDs of all peers. */
    record List() implements PeerOperation, Query {}
}
