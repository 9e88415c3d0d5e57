package org.railyard.lnet.peer;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;

/** Which peers may be forgotten when there is no room for another one. */
final class Eviction {
    /** Lookups of any peers in which one that was looked for is safe: whoever looked for it may be at work on it. */
    static final int SAFE_LOOKUPS = 1 << 10;

    private static final int WANTED = PeerState.CONFIGURED | PeerState.LOCK_PRIMARY | PeerState.ROUTER_DISCOVERY;
    private static final int AT_WORK = PeerState.DISCOVERING | PeerState.DATA_PRESENT | PeerState.MARK_DELETION;

    private Eviction() {}

    /**
     * Tells whether a peer may be forgotten: nobody configured it or holds on to it, no route goes through it, and
     * nothing is under way. That it is in recovery keeps it only if an administrator wanted that.
     */
    static boolean mayGo(Peer peer) {
        return peer.gateway == null
                && !peer.isAny(WANTED | AT_WORK)
                && peer.mergeInto == null
                && peer.exchange == null
                && !peer.queued
                && peer.parked.isEmpty()
                && peer.waiters.isEmpty()
                && isIdle(peer);
    }

    private static boolean isIdle(Peer peer) {
        for (int i = 0; i < peer.nets.size(); i++) {
            PeerNet net = peer.nets.get(i);
            for (int k = 0; k < net.nis.size(); k++) {
                if (!isIdle(net.nis.get(k))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isIdle(PeerNi ni) {
        return ni.queuedBytes == 0
                && ni.brought == 0
                && ni.credits.value() == ni.credits.max()
                && (ni.usedRouterCredits() == null || ni.routerCredits().value() == ni.routerCreditsMax())
                && (ni.recovery == null || !ni.recovery.isWanted());
    }

    /** Returns the one that was looked for less recently, of two that may go; the one of them that is not null. */
    static Peer lessMissed(@Nullable Peer one, Peer other) {
        return one != null && one.lookedFor <= other.lookedFor ? one : other;
    }
}
