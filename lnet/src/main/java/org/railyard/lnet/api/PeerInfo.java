package org.railyard.lnet.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;

/**
 * A peer as this node knows it.
 *
 * @param primaryNid its identity
 * @param multiRail whether it understands multi-rail
 * @param state its state bits (spec 11 §1.1)
 * @param nis its NIs, the primary first
 */
public record PeerInfo(Nid primaryNid, boolean multiRail, int state, List<PeerNiInfo> nis) {
    /** Copies the list. */
    public PeerInfo {
        nis = List.copyOf(nis);
    }

    /** Tells whether it was made by configuration. */
    public boolean isConfigured() {
        return (state & PeerState.CONFIGURED) != 0;
    }

    /** Tells whether its primary NID stays, whatever it announces. */
    public boolean isLocked() {
        return (state & PeerState.LOCK_PRIMARY) != 0;
    }

    /**
     * One NI of a peer.
     *
     * @param nid its NID
     * @param up whether the peer last said that it is up
     * @param health 0…1000
     * @param failures what went wrong with it
     * @param credits send credits now; below 0 that many messages wait
     * @param maxCredits send credits at rest; 0 while there is no local net of its kind
     * @param minCredits fewest send credits there ever were
     * @param queuedBytes bytes charged to it: payload and header of messages that hold or wait for credits
     * @param routerCredits how many more of its messages this node takes in to pass them on; below 0 that many wait
     * @param maxRouterCredits router credits at rest
     * @param minRouterCredits fewest router credits there ever were
     * @param lastLocal the local NID that was last sent from to it, null if none was
     * @param traffic messages through it
     * @param usage how much it is used of late
     */
    public record PeerNiInfo(
            Nid nid,
            boolean up,
            int health,
            PeerNiHealth failures,
            int credits,
            int maxCredits,
            int minCredits,
            long queuedBytes,
            int routerCredits,
            int maxRouterCredits,
            int minRouterCredits,
            @Nullable Nid lastLocal,
            Traffic traffic,
            Usage usage) {}
}
